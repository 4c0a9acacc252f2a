// The icon of what is attached, in the list of completions and on its chip.

import type { AttachmentKind } from '../../model/attachment.ts';
import type { IconName } from '../icons.ts';

export const looks = {
  file: 'file',
  folder: 'folder',
  image: 'image',
  selection: 'file',
  problem: 'warning',
  terminal: 'terminal',
  changes: 'diff',
  session: 'history',
} as const satisfies { readonly [kind in AttachmentKind]: IconName };
