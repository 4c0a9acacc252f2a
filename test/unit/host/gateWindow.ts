// The gate of a window, as it stands before secrets and entries of the settings, with a person who presses buttons in the place
// where VS Code would show the questions.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { agentErrorIn } from '../../../src/core/agentError.ts';
import { originOf, programOf } from '../../../src/host/agents/secretDestination.ts';
import { handed, person } from '../support/recordedVscode.ts';
import { mementoOn, secretStorage, type Disk } from './memento.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: recorder, shortCircuit: true } : next(name, context)),
});
const { openGate } = await import('../../../src/host/agents/entryGate.ts');

export const canary = 'canary-4711';
export const openAi = originOf('https://api.openai.com/v1');
export const evil = originOf('https://evil.example/v1');
export const program = programOf({ command: 'agent', args: ['--acp'] });

export interface ModalQuestion {
  readonly text: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

export type Press = 'Use' | 'Don’t Use' | undefined;

/** A window, on a disk that another window may have used. Answers are pressed in their order; without one it's Cancel. */
export function windowOn({
  isRemote = true,
  isTrusted = true,
  disk = { text: '{}' } as Disk,
  presses = [] as Press[],
} = {}) {
  const asked: ModalQuestion[] = [];
  const storage = secretStorage(new Map([['throughline.secret.KEY', canary]]));
  const state = mementoOn(disk);
  answerQuestions(question => {
    asked.push(question);
    return Promise.resolve(presses.shift());
  });
  handed.length = 0;
  const { secrets, gate } = openGate({ isRemote, isTrusted: () => isTrusted, storage, state });
  return { secrets, gate, asked, presses, disk, state };
}

/** Whoever reads the modal questions, and presses a button or, with undefined, “Cancel”. */
export function answerQuestions(answer: (question: ModalQuestion) => Promise<Press>): void {
  person.answer = async given => {
    const [text, { detail }, ...items] = given as readonly [string, { detail: string }, ...{ title: string }[]];
    const pressed = await answer({ text, detail, buttons: items.map(({ title }) => title) });
    return items.find(({ title }) => title === pressed);
  };
}

export async function failure(resolving: Promise<unknown>): Promise<string> {
  const error = agentErrorIn(
    await resolving.then(
      () => assert.fail('it was resolved'),
      (cause: unknown) => cause,
    ),
  );
  assert.equal(error?.code, 'cannot-start');
  assert.ok(!`${error.message} ${error.stack}`.includes(canary));
  return error.message;
}
