// Links into the window: `vscode://throughline.throughline/session/<id>`. Promises: a link opens a session that this
// workspace's history has and does nothing else, whatever stands in it; it never sends, starts or changes anything; one
// that leads nowhere is said in words.

import { env, type Uri } from 'vscode';
import { historyErrorIn } from '../../core/history/historyError.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SessionId } from '../../model/message.ts';
import { isSessionId } from '../../node/ids.ts';
import { showWarning } from '../notify/messages.ts';

export interface DeepLinkPorts {
  /** Throws HistoryError `no-session`. */
  readonly conversation: (session: SessionId) => Promise<Conversation>;
  readonly show: (conversation: Conversation) => Promise<void>;
}

/** `extension` is this extension's own id. */
export function linkTo(session: SessionId, extension: string): string {
  return `${env.uriScheme}://${extension}/session/${session}`;
}

export async function follow(uri: Pick<Uri, 'path'>, ports: DeepLinkPorts): Promise<void> {
  const session = sessionIn(uri.path);
  if (session === null) {
    void showWarning('This link leads to no session: it should end in “/session/” and the session’s id.');
    return;
  }
  try {
    await ports.show(await ports.conversation(session));
  } catch (cause) {
    if (historyErrorIn(cause)?.code !== 'no-session') throw cause;
    void showWarning(
      'The session of this link is not in the history of this window. It may have been deleted, or belong to another workspace: open that one and follow the link again.',
    );
  }
}

function sessionIn(path: string): SessionId | null {
  const [, id = ''] = /^\/session\/([^/]+)\/?$/.exec(path) ?? [];
  return isSessionId(id) ? id : null;
}
