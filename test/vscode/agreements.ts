// What VS Code keeps of a person who agreed to use what is in their settings. The VS Code of these tests is a remote, so
// without it each agent, model server and MCP server of the settings is asked about before it's used.

import { endpointsIn } from '../../src/agent/models/endpoints.ts';
import { configuredAgentsIn } from '../../src/host/agents/configuredAgents.ts';
import { entryHash, type SettingsEntry } from '../../src/host/agents/settingsEntry.ts';
import { mcpServersFrom } from '../../src/node/acp/mcpServers.ts';
import { extensionId } from './places.ts';

type Settings = { readonly [name: string]: unknown };

/** All that these settings have, as the extension reads it. */
export function entriesIn(settings: Settings): readonly SettingsEntry[] {
  const agents = configuredAgentsIn(settings['throughline.agents']);
  const { endpoints } = endpointsIn(settings['throughline.models']);
  const { servers } = mcpServersFrom(settings['throughline.mcpServers']);
  return [
    ...[...agents].map(([name, value]) => ({ kind: 'agent' as const, name, value })),
    ...endpoints.map(value => ({ kind: 'model' as const, name: value.name, value })),
    ...servers.map(value => ({ kind: 'mcpServer' as const, name: value.name, value })),
  ];
}

/** What the extension keeps in its global state after the person agreed to all of them. */
export function agreedState(settings: Settings): { readonly [key: string]: unknown } {
  const entries = entriesIn(settings);
  if (entries.length === 0) return {};
  return { entryDecisions: Object.fromEntries(entries.map(entry => [entryHash(entry), true])) };
}

interface BrowserState {
  readonly cookies: [];
  readonly origins: { origin: string; localStorage: []; indexedDB: Database[] }[];
}

export interface Database {
  readonly name: string;
  readonly version: number;
  readonly stores: { name: string; autoIncrement: boolean; records: { key: string; value: string }[]; indexes: [] }[];
}

/** One of the databases in which VS Code keeps its state in a browser. */
export function stateDatabase(name: string, values: { readonly [key: string]: string }): Database {
  const records = Object.entries(values).map(([key, value]) => ({ key, value }));
  return { name, version: 1, stores: [{ name: 'ItemTable', autoIncrement: false, records, indexes: [] }] };
}

export const globalDatabase = 'vscode-web-state-db-global';

/** The same for pages of each of these origins; undefined where there is nothing to keep. */
export function browserWith(globalState: Settings, origins: readonly string[]): BrowserState | undefined {
  if (Object.keys(globalState).length === 0) return undefined;
  const indexedDB = [stateDatabase(globalDatabase, { [extensionId]: JSON.stringify(globalState) })];
  return { cookies: [], origins: origins.map(origin => ({ origin, localStorage: [], indexedDB })) };
}
