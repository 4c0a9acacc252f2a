// The MCP servers of the person's settings, as an agent is given them: read each time, with the secrets that they name.
// Promises: what is wrong with one is told in words, once until the setting is another, and keeps no other from being used;
// a value of a secret is in no words.

import { mcpServersFrom, type McpServer } from '../../node/acp/mcpServers.ts';
import type { Secrets } from './secrets.ts';

export interface McpSettingPorts {
  /** The value as the person wrote it. */
  readonly read: () => unknown;
  readonly secrets: Pick<Secrets, 'resolveAll'>;
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
    return (await Promise.all(servers.map(server => this.withSecrets(server)))).flat();
  };

  private async withSecrets(server: McpServer): Promise<readonly McpServer[]> {
    const { secrets } = this.ports;
    try {
      if (server.kind === 'stdio') return [{ ...server, env: await secrets.resolveAll(server.env) }];
      return [{ ...server, headers: await secrets.resolveAll(server.headers) }];
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
