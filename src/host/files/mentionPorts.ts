// Files that answers name, for panels: which of them are here, and opened at their line.

import type { ChatChannelPorts } from '../chat/chatChannel.ts';
import type { Guard } from '../../node/files/guard.ts';

export function mentionPorts(
  folders: () => readonly string[],
  guard: Guard,
): Pick<ChatChannelPorts, 'filesNamed' | 'openMention'> {
  return {
    async filesNamed(mentions) {
      const { filesNamed } = await import('../adding/adding.ts');
      return filesNamed(mentions, folders(), guard);
    },
    async openMention({ words, path, line }) {
      const { fileNamed, openLocation } = await import('../adding/adding.ts');
      const file = await fileNamed(path, folders(), guard);
      if (file === null) return `“${words}” is not there any more.`;
      return openLocation({ path: file, ...(line !== undefined && { line }) }, guard);
    },
  };
}
