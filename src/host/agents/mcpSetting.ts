// The MCP servers of the person's settings, as an agent is given them: read each time, with the secrets that they name.
// Promises: what is wrong with one is told in words, once until the setting is another, and keeps no other from being used;
// a value of a secret is in no words; on a remote each is given only after the person agreed to it.

import { mcpServersFrom, type McpServer } from '../../node/acp/mcpServers.ts';
import type { EntryGate } from './entryGate.ts';
import type { Secrets } from './secrets.ts';
import { destinationOf, type SettingsEntry } from './settingsEntry.ts';

export interface McpSettingPorts {
  /** The value as the person wrote it. */
  readonly read: () => unknown;
  readonly secrets: Pick<Secrets, 'resolveAll'>;
  readonly gate: Pick<EntryGate, 'refusal' | 'asksAbout'>;
  readonly warn: (words: string) => void;
}

export class McpSetting {
  private readonly ports: McpSettingPorts;
  private written = '';
  private readonly told = new Set<string>();

  constructor(ports: McpSettingPorts) {
    this.ports = ports;
  }

  readonly servers = async (): Promise<readonly McpServer[]> => {
    const value = this.ports.read();
    const written = JSON.stringify(value ?? null);
    if (written !== this.written) this.told.clear();
    this.written = written;
    const { servers, problems } = mcpServersFrom(value);
    for (const words of problems) this.tell(words);
    const usable: McpServer[] = [];
    for (const server of servers) usable.push(...(await this.usable(server)));
    return usable;
  };

  /** Whether giving them to an agent now would ask the person. */
  asksFirst(): Promise<boolean> {
    return this.ports.gate.asksAbout(mcpServersFrom(this.ports.read()).servers.map(entryOf));
  }

  private async usable(server: McpServer): Promise<readonly McpServer[]> {
    const { secrets, gate } = this.ports;
    const entry = entryOf(server);
    const refusal = await gate.refusal(entry, true);
    if (refusal !== null) {
      this.tell(refusal);
      return [];
    }
    const to = destinationOf(entry);
    try {
      if (server.kind === 'stdio') return [{ ...server, env: await secrets.resolveAll(server.env, to) }];
      return [{ ...server, headers: await secrets.resolveAll(server.headers, to) }];
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      this.tell(`The MCP server “${server.name}” is not used. ${why}`);
      return [];
    }
  }

  private tell(words: string): void {
    if (this.told.has(words)) return;
    this.told.add(words);
    this.ports.warn(words);
  }
}

function entryOf(server: McpServer): SettingsEntry {
  return { kind: 'mcpServer', name: server.name, value: server };
}
