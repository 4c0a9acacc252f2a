// What may go with a prompt, and what goes from an answer into the editor, made where it is first needed: a file of its
// own, which is loaded then.

import { Attachments, type AttachmentsPorts } from '../files/attachments.ts';
import { findInWorkspace } from '../files/workspaceFiles.ts';
import { offeredIn, type OfferedPorts } from './offered.ts';
import { addToChat, type AddCommand, type AddPorts } from './addToChat.ts';

export { fileNamed, filesNamed } from '../chat/mentions.ts';
export { insertCode, openLocation } from '../files/intoEditor.ts';

export interface Adding {
  readonly attachments: Attachments;
  readonly addToChat: (command: AddCommand, args: readonly unknown[]) => Promise<void>;
}

export type AddingPorts = Omit<AttachmentsPorts, 'find' | 'offered'> & Omit<AddPorts, 'attachments'> & OfferedPorts;

export function openAdding(ports: AddingPorts): Adding {
  const attachments = new Attachments({ ...ports, find: findInWorkspace, offered: offeredIn(ports) });
  return { attachments, addToChat: (command, args) => addToChat(command, args, { ...ports, attachments }) };
}
