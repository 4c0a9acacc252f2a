// What may go with a prompt, what a session begins with from another, and what goes from an answer into the editor: a
// bundle of its own, loaded when one of them is first needed.

import { Attachments, type AttachmentsPorts } from '../files/attachments.ts';
import { findInWorkspace } from '../files/workspaceFiles.ts';
import { offeredIn, type OfferedPorts } from './offered.ts';
import { addToChat, type AddCommand, type AddPorts } from './addToChat.ts';

export { contextFacts } from '../../core/conversation/context.ts';
export { attachedTextFrom } from '../../node/files/attachedText.ts';
export { attachedTextIn } from './attachedSession.ts';
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
