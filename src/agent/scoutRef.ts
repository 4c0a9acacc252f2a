// Who the built-in agent says it is; apart from its code, so that naming it does not load it.

import type { AgentRef } from '../model/message.ts';

export const scoutRef: AgentRef = { id: 'scout', name: 'Offline scout' };
