// What an agent may ask of a person besides a permission: a form with a field of every kind, an address, who they are.

import type { Elicitation, SignInMethod } from '../../../src/model/agentState.ts';

export const methods: readonly SignInMethod[] = [
  { id: 'plan', name: 'Claude subscription', description: 'Opens a browser, for Pro and Max', kind: 'agent' },
  { id: 'key', name: 'Anthropic Console', description: 'Billed by use, with a key of your own', kind: 'agent' },
  { id: 'cli', name: 'Command line', description: 'Run /login in a terminal', kind: 'terminal' },
];

export const form: Elicitation = {
  id: 'e1',
  message: 'To deploy this I need to know where it goes, and whom to tell.',
  asks: {
    kind: 'form',
    fields: [
      {
        name: 'environment',
        title: 'Environment',
        description: 'Production waits for a second person',
        required: true,
        input: { kind: 'one', choices: choice('Staging', 'Production'), initial: null },
      },
      {
        name: 'email',
        title: 'Email',
        description: '',
        required: true,
        input: { kind: 'text', format: 'email', least: null, most: null, initial: '' },
      },
      {
        name: 'at',
        title: 'Not before',
        description: '',
        required: false,
        input: { kind: 'text', format: 'date-time', least: null, most: null, initial: '2026-11-19T08:00:00Z' },
      },
      {
        name: 'replicas',
        title: 'Replicas',
        description: 'Between 1 and 12',
        required: true,
        input: { kind: 'number', whole: true, least: 1, most: 12, initial: 3 },
      },
      {
        name: 'region',
        title: 'Region',
        description: '',
        required: false,
        input: {
          kind: 'one',
          choices: choice('Dublin', 'Frankfurt', 'Milan', 'Paris', 'Stockholm', 'Zürich'),
          initial: 'Milan',
        },
      },
      {
        name: 'checks',
        title: 'Checks',
        description: '',
        required: false,
        input: {
          kind: 'many',
          choices: choice('Unit tests', 'Race detector', 'Vulnerabilities'),
          least: null,
          most: null,
          initial: ['Unit tests'],
        },
      },
      {
        name: 'migrate',
        title: 'Run the migrations first',
        description: 'They take about a minute',
        required: true,
        input: { kind: 'yesNo', initial: true },
      },
    ],
  },
};

function choice(...titles: readonly string[]): readonly { readonly value: string; readonly title: string }[] {
  return titles.map(title => ({ value: title, title }));
}

export const address: Elicitation = {
  id: 'e2',
  message: 'Sign in to the tracker, so that I can read the issue.',
  asks: {
    kind: 'url',
    url: 'https://auth.tracker.example/oauth/authorize?client=agent&scope=issues.read&state=8f2c1d90a7b34e56',
    host: 'auth.tracker.example',
  },
};
