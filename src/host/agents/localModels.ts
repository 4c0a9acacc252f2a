// Models that are simply there: a local Ollama that answers. Promises: only this machine is asked, once in a while and never
// for long; where nobody answers there is nothing, without a word.

import type { ConfiguredEndpoint } from '../../agent/models/endpoints.ts';

export interface LocalModelsPorts {
  /** What Ollama's own variable says of where it listens. */
  readonly host: string | undefined;
  readonly http: (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;
  readonly now: () => number;
}

/** Milliseconds. */
const patience = 700;
const knownFor = 60_000;

export class LocalModels {
  private here: readonly ConfiguredEndpoint[] = [];
  private asked = -Infinity;
  private looking: Promise<boolean> | null = null;
  private readonly ports: LocalModelsPorts;

  constructor(ports: LocalModelsPorts) {
    this.ports = ports;
  }

  /** Those that answered when it was looked last. */
  get last(): readonly ConfiguredEndpoint[] {
    return this.here;
  }

  /** Whether there is one. */
  look(): Promise<boolean> {
    if (this.ports.now() - this.asked < knownFor) return Promise.resolve(this.here.length > 0);
    return (this.looking ??= this.ask().finally(() => (this.looking = null)));
  }

  private async ask(): Promise<boolean> {
    const { host, http, now } = this.ports;
    const address = ollamaAddress(host);
    this.here = address !== null && (await answers(address, http)) ? [endpointAt(address)] : [];
    this.asked = now();
    return this.here.length > 0;
  }
}

/** Null where it is not on this machine: what is elsewhere is for a person to connect. */
export function ollamaAddress(host: string | undefined): string | null {
  const written = host?.trim() || '127.0.0.1:11434';
  const text = /^https?:\/\//.test(written) ? written : `http://${written}`;
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  // It listens everywhere, here too.
  const name = hostname === '0.0.0.0' || hostname === '[::]' ? '127.0.0.1' : hostname;
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(name)) return null;
  return `${protocol}//${name}:${port || '11434'}`;
}

async function answers(address: string, http: LocalModelsPorts['http']): Promise<boolean> {
  try {
    const response = await http(`${address}/api/version`, { signal: AbortSignal.timeout(patience) });
    const said: unknown = response.ok ? await response.json() : null;
    return typeof said === 'object' && said !== null && 'version' in said;
  } catch {
    // Nobody is there, or somebody else.
    return false;
  }
}

function endpointAt(address: string): ConfiguredEndpoint {
  return { name: 'Ollama', speaks: 'openai', url: `${address}/v1`, key: '', headers: {}, models: [] };
}
