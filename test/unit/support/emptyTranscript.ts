// A conversation in which nothing was said yet: what every other of a test begins with.

import type { Transcript } from '../../../src/model/transcript.ts';

export const emptyTranscript: Transcript = {
  session: 's',
  title: '',
  agent: { id: 'scout', name: 'Offline scout' },
  about: null,
  messages: [],
  branches: { beside: {}, below: [] },
  turn: null,
  elsewhere: null,
  continuity: { kind: 'remembers' },
  unsaved: null,
  trashed: false,
  permissions: [],
  elicitations: [],
  decided: [],
  queue: [],
  held: null,
  options: [],
  commands: [],
  context: null,
};
