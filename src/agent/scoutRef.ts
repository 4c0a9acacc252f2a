// Who the built-in agent says it is; apart from its code, so that naming it does not load it.

import type { AboutAgent, AgentRef } from '../model/message.ts';

export const scoutRef: AgentRef = { id: 'scout', name: 'Offline scout' };

export const aboutScout: AboutAgent = {
  words: 'The offline scout is not an AI: it searches this workspace and this conversation, without network or keys.',
  examples: ['Where is the configuration read?', 'Which files mention a test?', '"TODO"'],
};
