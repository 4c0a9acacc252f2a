// Files that answers name, for panels: which of them are here, and opened at their line.

import type { ChatChannelPorts } from '../chat/chatChannel.ts';
import { fileNamed, filesNamed } from '../chat/mentions.ts';
import type { Guard } from '../../node/files/guard.ts';
import { openLocation } from './intoEditor.ts';

export function mentionPorts(
  folders: () => readonly string[],
  guard: Guard,
): Pick<ChatChannelPorts, 'filesNamed' | 'openMention'> {
  return {
    filesNamed: mentions => filesNamed(mentions, folders(), guard),
    async openMention({ words, path, line }) {
      const file = await fileNamed(path, folders(), guard);
      if (file === null) return `“${words}” is not there any more.`;
      return openLocation({ path: file, ...(line !== undefined && { line }) }, guard);
    },
  };
}
