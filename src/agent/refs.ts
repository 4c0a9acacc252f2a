// Who the built-in agents say they are; apart from their code, so that naming them does not load it.

import type { AboutAgent, AgentRef } from '../model/message.ts';

export const scoutRef: AgentRef = { id: 'scout', name: 'Offline scout' };

export const aboutScout: AboutAgent = {
  words: 'The offline scout is not an AI: it searches files and conversations, without network or keys.',
  examples: ['Where is the configuration read?', 'Which files mention a test?', '"TODO"'],
};

/** The one that talks to the models that a person connected. */
export const modelsRef: AgentRef = { id: 'throughline', name: 'Throughline' };

export const aboutModels: AboutAgent = {
  words: 'The built-in agent works with a model of your choice. It asks before it changes anything.',
  examples: ['Explain how this project is built', 'Find the cause of a failing test', 'Write a README for this folder'],
};
