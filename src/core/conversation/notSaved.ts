// Shows in a conversation what its saver reports: that saving fails for now, and in sentences what history refused.

import type { Fact, FieldName } from '../../model/record.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { HistoryError } from '../history/historyError.ts';
import { unsavedBy } from './opening.ts';
import type { SaverPorts } from './saver.ts';

const fieldWords: { readonly [name in FieldName]: string } = {
  title: 'The session’s title',
  givenTitle: 'The title that you gave the session',
  trashed: 'That this was moved to the trash',
  archived: 'That this was archived',
  pinned: 'That this was pinned',
  head: 'Which branch is shown',
  agent: 'The choice of the agent',
  model: 'The choice of the model',
  mode: 'The choice of the mode',
  expires: 'The date when this is archived',
  closed: 'That this session was closed',
  label: 'A label',
  metadata: 'A detail about the response',
  name: 'The name of a branch',
  note: 'The note on a branch',
  binding: 'What the agent’s session knows',
  option: 'An agent setting',
  decision: 'Your choice about a changed file',
  queue: 'The list of queued prompts',
  queued: 'A queued prompt',
  systemPrompt: 'The system prompt of the response',
};

const factWords: { readonly [type in Exclude<Fact['type'], 'set' | 'message'>]: string } = {
  session: 'The beginning of the session',
  block: 'A part of the response',
  text: 'A part of the response',
  end: 'The end of the response',
};

const messageWords = { user: 'Your prompt', assistant: 'The response', summary: 'The summary' } as const;

export function savingShown(
  state: () => Transcript,
  show: (event: TranscriptEvent) => void,
): Pick<SaverPorts, 'onDidChange' | 'onRefused'> {
  return {
    onDidChange: failure => show({ type: 'unsavedChanged', unsaved: unsavedBy(failure, state().unsaved?.accepted) }),
    onRefused(facts, error) {
      const sentences = facts.map(fact => notSavedWords(fact, error));
      show({ type: 'warningsChanged', warnings: [...new Set([...(state().warnings ?? []), ...sentences])] });
    },
  };
}

function notSavedWords(fact: Fact, error: HistoryError): string {
  return `${subjectOf(fact)} isn’t saved. ${error.message}`;
}

function subjectOf(fact: Fact): string {
  switch (fact.type) {
    case 'set':
      return fieldWords[fact.name];
    case 'message':
      return messageWords[fact.message.role];
    default:
      return factWords[fact.type];
  }
}
