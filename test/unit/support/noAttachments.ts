// What a panel needs where nothing is attached.

import { Attachments } from '../../../src/host/files/attachments.ts';
import type { AttachingPorts } from '../../../src/host/files/attaching.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { ids } from './history.ts';

export const noAttachments: AttachingPorts = {
  attachments: new Attachments({ find: () => Promise.resolve([]), guard: guardIn(() => []), newId: ids.message }),
  takesImages: () => Promise.resolve(false),
};
