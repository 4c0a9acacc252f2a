// Which chat a thing goes to that a person adds from elsewhere in the window.

import type { Attachment } from '../../model/attachment.ts';
import type { ChatPanels } from './chatPanels.ts';
import type { ChatView } from './chatView.ts';

/** The chat that is seen, of several the one that was used last; the view is opened where none is. */
export async function addToShown(
  attachments: readonly Attachment[],
  chat: ChatView,
  panels: ChatPanels,
): Promise<void> {
  const [shown] = panels.inView.toSorted((one, other) => other.usedAt - one.usedAt);
  const isView = !shown || (chat.inView !== null && chat.inView.usedAt > shown.usedAt);
  if (isView) await chat.add(attachments);
  else await panels.addTo(shown, attachments);
}
