// The well-known agents that are on this machine, found by their names on the PATH. Promises: none is run to find it, none
// that lies in a folder of the workspace counts, and one that a person set up under that name is theirs.

import type { KnownAgent } from '../../agent/knownAgents.ts';
import { findOnPath } from '../../node/acp/onPath.ts';
import type { ConfiguredAgent } from './configuredAgents.ts';

export interface FoundAgentsPorts {
  readonly known: readonly KnownAgent[];
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: NodeJS.Platform;
  readonly folders: () => readonly string[];
}

/** By their names, in the order of the list. */
export type Found = ReadonlyMap<string, ConfiguredAgent>;

export class FoundAgents {
  private looked: Promise<Found> | null = null;
  private seen: Found = new Map();
  private readonly ports: FoundAgentsPorts;

  constructor(ports: FoundAgentsPorts) {
    this.ports = ports;
  }

  /** Those that were found when it was last looked. */
  get last(): Found {
    return this.seen;
  }

  /** Looked for once in the life of a window. */
  get(): Promise<Found> {
    return (this.looked ??= this.look());
  }

  /** Something may have been installed meanwhile. */
  lookAgain(): Promise<Found> {
    return (this.looked = this.look());
  }

  /** The whole path of any program. */
  program(command: string): Promise<string | undefined> {
    const { env, platform, folders } = this.ports;
    return findOnPath(command, { env, platform, notIn: folders() });
  }

  private async look(): Promise<Found> {
    const files = await Promise.all(this.ports.known.map(({ command }) => this.program(command)));
    const found = new Map<string, ConfiguredAgent>();
    for (const [at, { name, args }] of this.ports.known.entries()) {
      const command = files[at];
      // The very file that was found is started, not what the PATH would lead to later.
      if (command !== undefined && !found.has(name)) found.set(name, { command, args, env: {} });
    }
    return (this.seen = found);
  }
}
