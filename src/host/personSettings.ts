// The settings that only a person may write, for this machine: which programs are started, and with what. Promises: a
// value that came with a workspace is not looked at, wherever it stands; what is written badly is as if it were not there.

import { workspace } from 'vscode';
import { configuredAgentsIn, type ConfiguredAgent } from './agents/configuredAgents.ts';

/** The value of `throughline.<name>`, as the person wrote it. */
export function fromPerson(name: string): unknown {
  return workspace.getConfiguration('throughline').inspect(name)?.globalValue;
}

/** The id of the agent that new sessions begin with; empty where it is the built-in one. */
export function usualAgent(): string {
  const chosen = fromPerson('agent');
  return typeof chosen === 'string' ? chosen : '';
}

/** By the names that the person gave them. */
export function configuredAgents(): ReadonlyMap<string, ConfiguredAgent> {
  return configuredAgentsIn(fromPerson('agents'));
}
