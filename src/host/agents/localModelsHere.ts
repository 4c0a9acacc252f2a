// The model server of this machine, as this window has it. A bundle of its own, with the HTTP client, loaded when models are
// first looked for.

import type { Memento } from 'vscode';
import { systemClock } from '../../node/clock.ts';
import { httpClient, httpLimits } from '../../node/http/client.ts';
import { showInfo } from '../notify/messages.ts';
import { LocalModels } from './localModels.ts';

export function localModelsHere(state: Memento): LocalModels {
  return new LocalModels({
    host: process.env['OLLAMA_HOST'],
    http: httpClient(httpLimits.localModels),
    now: systemClock.now,
    state,
    offer,
  });
}

async function offer(host: string): Promise<boolean | undefined> {
  const choice = await showInfo(`Use the models at ${host}?`, 'Use', 'Don’t Use');
  return choice === undefined ? undefined : choice === 'Use';
}
