// What may go with a prompt, and what goes from an answer into the editor, made where it is first needed: a file of its
// own, which is loaded then.

import { Attachments, type AttachmentsPorts } from './attachments.ts';
import { findInWorkspace } from './workspaceFiles.ts';

export { fileNamed, filesNamed } from '../chat/mentions.ts';
export { insertCode, openLocation } from './intoEditor.ts';

export function attachmentsOf(ports: Omit<AttachmentsPorts, 'find'>): Attachments {
  return new Attachments({ ...ports, find: findInWorkspace });
}
