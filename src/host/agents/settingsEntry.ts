// One entry of the settings that name programs, servers and secrets: an agent, a model server or an MCP server. Pure. What
// is asked about, hashed and used is the same parsed value, so nothing can be agreed to and another thing used.

import { createHash } from 'node:crypto';
import type { ConfiguredEndpoint } from '../../agent/models/endpoints.ts';
import type { McpServer } from '../../node/acp/mcpServers.ts';
import type { ConfiguredAgent } from './configuredAgents.ts';
import { originOf, programOf, type SecretDestination } from './secretDestination.ts';
import { secretsNamedIn } from './secrets.ts';

export type SettingsEntry =
  | { readonly kind: 'agent'; readonly name: string; readonly value: ConfiguredAgent }
  | { readonly kind: 'model'; readonly name: string; readonly value: ConfiguredEndpoint }
  | { readonly kind: 'mcpServer'; readonly name: string; readonly value: McpServer };

export type EntryKind = SettingsEntry['kind'];

/** SHA-256 of all that the entry is. */
export function entryHash({ kind, name, value }: SettingsEntry): string {
  return createHash('sha256')
    .update(JSON.stringify(withSortedKeys([kind, name, value])))
    .digest('hex');
}

export function destinationOf({ kind, value }: SettingsEntry): SecretDestination {
  switch (kind) {
    case 'agent':
      return programOf(value);
    case 'model':
      return originOf(value.url);
    case 'mcpServer':
      return value.kind === 'stdio' ? programOf(value) : originOf(value.url);
  }
}

export interface WrittenValue {
  readonly of: 'variable' | 'header' | 'key';
  readonly name: string;
  /** Secrets are still named. */
  readonly text: string;
}

/** What the program or the server is given besides its command or address. */
export function valuesOf({ kind, value }: SettingsEntry): readonly WrittenValue[] {
  switch (kind) {
    case 'agent':
      return valuesIn('variable', value.env);
    case 'model':
      return [
        ...(value.key === '' ? [] : [{ of: 'key', name: 'Key', text: value.key } as const]),
        ...valuesIn('header', value.headers),
      ];
    case 'mcpServer':
      return value.kind === 'stdio' ? valuesIn('variable', value.env) : valuesIn('header', value.headers);
  }
}

/** The names of those that it would get. */
export function secretsOf(entry: SettingsEntry): readonly string[] {
  return secretsNamedIn(valuesOf(entry).map(({ text }) => text));
}

function valuesIn(of: 'variable' | 'header', texts: { readonly [name: string]: string }): readonly WrittenValue[] {
  return Object.entries(texts).map(([name, text]) => ({ of, name, text }));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, withSortedKeys(field)]));
}
