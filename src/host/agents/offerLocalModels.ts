// Asks the person whether a model server that was found on this machine may be used.

import { showInfo } from '../notify/messages.ts';

/** Undefined if they closed the question. */
export async function offerLocalModels(host: string): Promise<boolean | undefined> {
  const choice = await showInfo(`Use the models at ${host}?`, 'Use', 'Don’t Use');
  return choice === undefined ? undefined : choice === 'Use';
}
