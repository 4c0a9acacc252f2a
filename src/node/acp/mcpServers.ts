// The MCP servers that an agent is to use besides its own: as a person writes them in the settings, and as an agent is
// given them. Promises: what is written badly is named in words and takes nothing else with it; an agent is given only
// what it says that it takes, and that it does not take one is said once.

import type { McpServer as WireServer } from '@agentclientprotocol/sdk';
import { fieldsOf, textOf, type Fields } from './fields.ts';
import type { Environment } from './commandLine.ts';

export type McpServer =
  | {
      readonly kind: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Environment;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly name: string;
      readonly url: string;
      readonly headers: { readonly [name: string]: string };
    };

/** What an agent takes besides servers that it starts itself. */
export interface McpAbilities {
  readonly http: boolean;
  readonly sse: boolean;
}

export interface WrittenServers {
  readonly servers: readonly McpServer[];
  /** One sentence for each that cannot be used. */
  readonly problems: readonly string[];
}

/** `{name: {command, args, env} | {type: 'http' | 'sse', url, headers}}`. */
export function mcpServersFrom(value: unknown): WrittenServers {
  if (value === undefined || value === null) return { servers: [], problems: [] };
  const written = fieldsOf(value);
  if (!written)
    return { servers: [], problems: ['The MCP servers have to be an object: a name, and what it stands for.'] };
  const servers: McpServer[] = [];
  const problems: string[] = [];
  for (const [name, one] of Object.entries(written)) {
    const server = name.trim() === '' ? 'has no name' : serverOf(name, fieldsOf(one));
    if (typeof server === 'string') problems.push(`The MCP server “${name}” ${server}.`);
    else servers.push(server);
  }
  return { servers, problems };
}

/** Those that this agent takes, in ACP's words. `onOther` is told of each of the others. */
export function wireServers(
  servers: readonly McpServer[],
  takes: McpAbilities,
  onOther: (server: McpServer) => void,
): WireServer[] {
  return servers.flatMap((server): WireServer[] => {
    const { kind, name } = server;
    if (kind === 'stdio') {
      const { command, args, env } = server;
      return [{ name, command, args: [...args], env: pairs(env) }];
    }
    if (takes[kind]) return [{ type: kind, name, url: server.url, headers: pairs(server.headers) }];
    onOther(server);
    return [];
  });
}

/** Where it cannot be used: what follows on its name. */
function serverOf(name: string, written: Fields | undefined): McpServer | string {
  if (!written) return 'has to be an object with a command, or with a URL';
  const { type, command, args = [], url } = written;
  const kind = type ?? (command === undefined && url !== undefined ? 'http' : 'stdio');
  if (kind === 'stdio') {
    if (typeof command !== 'string' || command.trim() === '') return 'has no command';
    if (!Array.isArray(args) || !args.every(one => typeof one === 'string'))
      return 'has arguments that are no list of texts';
    const env = textsOf(written['env']);
    return env ? { kind, name, command, args, env } : 'has an environment that is not made of texts';
  }
  if (kind !== 'http' && kind !== 'sse')
    return `is of the type “${textOf(kind) ?? JSON.stringify(kind)}”, which is none of stdio, http and sse`;
  if (typeof url !== 'string' || !isWeb(url)) return 'has no URL that begins with http:// or https://';
  const headers = textsOf(written['headers']);
  return headers ? { kind, name, url, headers } : 'has headers that are not made of texts';
}

function textsOf(value: unknown): { readonly [name: string]: string } | null {
  const fields = fieldsOf(value ?? {});
  return fields && Object.values(fields).every(one => typeof one === 'string')
    ? (fields as { readonly [name: string]: string })
    : null;
}

function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function pairs(texts: { readonly [name: string]: string }): { name: string; value: string }[] {
  return Object.entries(texts).map(([name, value]) => ({ name, value }));
}
