// All defences that are tried, by what they protect.

import { agents } from './agents.ts';
import { audited } from './audit.ts';
import { knowing } from './continuity.ts';
import { deletions } from './deletions.ts';
import { files } from './files.ts';
import { histories } from './history.ts';
import { workers } from './historyWorker.ts';
import { hostileRecords } from './hostileRecords.ts';
import { importFiles } from './importFiles.ts';
import { imports } from './imports.ts';
import { notifying } from './notify.ts';
import { cleaning } from './outsideText.ts';
import { panel } from './panel.ts';
import { permissionPaths } from './permissionPaths.ts';
import { permissionRules } from './permissionRules.ts';
import { permissions } from './permissions.ts';
import { releases } from './releasing.ts';
import type { Row } from './row.ts';
import { savings } from './saving.ts';
import { secretsAndNetwork } from './secretsAndNetwork.ts';
import { turns } from './turns.ts';

export const table: readonly Row[] = [
  ...files,
  ...agents,
  ...turns,
  ...deletions,
  ...secretsAndNetwork,
  ...panel,
  ...cleaning,
  ...notifying,
  ...permissions,
  ...permissionRules,
  ...permissionPaths,
  ...savings,
  ...releases,
  ...knowing,
  ...histories,
  ...workers,
  ...hostileRecords,
  ...imports,
  ...importFiles,
  ...audited,
];
