// A question about one file, as a permission in the conversation of the turn that needs it. Promises: it stands in the
// answer as a tool call of its own, with what was answered; no rule of the person's answers it; what would be written is
// shown with the question and nowhere else, for it may be a secret, and history keeps what stands in an answer.

import type { FilePorts } from '../../core/files.ts';
import type { Permission } from '../../model/agentState.ts';
import type { Json } from '../../model/message.ts';

const allow = 'allow';

export function askThrough(newId: () => string): FilePorts['ask'] {
  return async (turn, { kind, path, why, content }, withdrawn) => {
    const id = newId();
    const title = `${kind === 'read' ? 'Read' : 'Write'} ${path}`;
    const tool = kind === 'read' ? 'read' : 'edit';
    const locations = [{ path }];
    const output: readonly Json[] = content === undefined ? [] : [{ type: 'diff', path, newText: content }];
    const permission: Permission = {
      id,
      callId: id,
      title,
      tool,
      locations,
      output,
      choices: [
        { id: allow, name: 'Allow once', kind: 'allow_once' },
        { id: 'reject', name: 'Reject', kind: 'reject_once' },
      ],
      why,
    };
    const changes = { title, tool, status: 'pending', locations } as const;
    turn.say({ type: 'toolCall', callId: id, changes });
    const isAllowed = (await turn.ask(permission, withdrawn)) === allow;
    const status = isAllowed ? 'completed' : withdrawn.aborted ? 'cancelled' : 'failed';
    turn.say({ type: 'toolCall', callId: id, changes: { status } });
    return isAllowed;
  };
}
