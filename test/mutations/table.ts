// All defences that are tried, by what they protect.

import { agents } from './agents.ts';
import { files } from './files.ts';
import { histories } from './history.ts';
import { panel } from './panel.ts';
import type { Row } from './row.ts';

export const table: readonly Row[] = [...files, ...agents, ...panel, ...histories];
