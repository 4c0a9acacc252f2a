// The settings that only a person may write, for this machine: which programs are started, and with what. Promises: a
// value that came with a workspace is not looked at, wherever it stands; what is written badly is as if it were not there.

import { ConfigurationTarget, workspace } from 'vscode';
import { usualNewest } from '../core/conversation/fitting.ts';
import type { RetentionSettings } from '../core/retentionRules.ts';
import { configuredAgentsIn, type ConfiguredAgent } from './agents/configuredAgents.ts';

/** The value of `throughline.<name>`, as the person wrote it. */
export function fromPerson(name: string): unknown {
  return workspace.getConfiguration('throughline').inspect(name)?.globalValue;
}

/** Written where only the person's own settings are. */
export async function keepForPerson(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration('throughline').update(name, value, ConfigurationTarget.Global);
}

/** The id of the agent that new sessions begin with; empty where it is a built-in one. */
export function usualAgent(): string {
  const chosen = fromPerson('agent');
  return typeof chosen === 'string' ? chosen : '';
}

/** What the person's settings say of how long sessions stay; what is written badly puts nothing away. */
export function retentionSettings(): RetentionSettings {
  return {
    days: retentionCount('days'),
    messages: retentionCount('messages'),
    keepPinned: fromPerson('retention.keepPinned') !== false,
    action: fromPerson('retention.action') === 'archive' ? 'archive' : 'trash',
    trashDays: retentionCount('trashDays'),
  };
}

function retentionCount(name: string): number {
  const value = fromPerson(`retention.${name}`);
  return typeof value === 'number' && Number.isFinite(value) && value >= 1 ? Math.floor(value) : 0;
}

/** How many of the newest messages go to a model in any case, however little it takes at once. */
export function newestKept(): number {
  const count = fromPerson('newestMessages');
  return typeof count === 'number' && count >= 0 ? Math.floor(count) : usualNewest;
}

/** By the names that the person gave them. */
export function configuredAgents(): ReadonlyMap<string, ConfiguredAgent> {
  return configuredAgentsIn(fromPerson('agents'));
}

/** The person connected some, whether they can be reached or not. */
export function hasModels(): boolean {
  const models = fromPerson('models');
  return typeof models === 'object' && models !== null && Object.keys(models).length > 0;
}
