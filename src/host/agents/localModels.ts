// A model server that listens on this machine, as Ollama does. Anybody on a shared machine can listen on its port, so it is
// offered once per address, and used only after the person agreed. Only this machine is asked, once in a while and never for
// long; if nobody answers, nothing is said.

import type { Memento } from 'vscode';
import type { ConfiguredEndpoint } from '../../agent/models/endpoints.ts';

export interface LocalModelsPorts {
  /** What Ollama's own variable says of where it listens. */
  readonly host: string | undefined;
  readonly http: (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;
  readonly now: () => number;
  /** What the person decided, for all windows of this machine. */
  readonly state: Pick<Memento, 'get' | 'update'>;
  /** Undefined if the person didn't decide; the next window asks again. */
  readonly offer: (address: string) => Promise<boolean | undefined>;
}

/** Milliseconds. */
const patience = 700;
const knownFor = 60_000;
const decidedKey = 'localModels';

export class LocalModels {
  private here: readonly ConfiguredEndpoint[] = [];
  private asked = -Infinity;
  private looking: Promise<boolean> | null = null;
  private undecided: string | null = null;
  private isOffered = false;
  private readonly listeners = new Set<() => void>();
  private readonly ports: LocalModelsPorts;

  constructor(ports: LocalModelsPorts) {
    this.ports = ports;
  }

  /** Those that the person agreed to, and that answered the last time. */
  get last(): readonly ConfiguredEndpoint[] {
    return this.here;
  }

  /** Whether there is one that the person agreed to. Doesn't wait for the person. */
  look(): Promise<boolean> {
    if (this.ports.now() - this.asked < knownFor) return Promise.resolve(this.here.length > 0);
    return (this.looking ??= this.ask().finally(() => (this.looking = null)));
  }

  /** The host of a server that is there, and about which the person didn't decide yet; null if there is none. */
  get offered(): string | null {
    return this.undecided === null ? null : new URL(this.undecided).host;
  }

  /** What the person says to the server that is offered. */
  async decide(agreed: boolean): Promise<void> {
    const address = this.undecided;
    if (address === null) return;
    this.undecided = null;
    await this.ports.state.update(decidedKey, { ...this.decided(), [address]: agreed });
    if (!agreed) return;
    this.here = [endpointAt(address)];
    for (const listener of this.listeners) listener();
  }

  onDidAgree(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async ask(): Promise<boolean> {
    const { host, http, now } = this.ports;
    const address = ollamaAddress(host);
    const agreed = address === null ? false : this.decided()[address];
    const isThere = address !== null && agreed !== false && (await answers(address, http));
    this.here = isThere && agreed === true ? [endpointAt(address)] : [];
    this.asked = now();
    this.undecided = isThere && agreed === undefined ? address : null;
    void this.offer();
    return this.here.length > 0;
  }

  /** Once in a window: whoever closed the question finds the server among the agents to connect. */
  private async offer(): Promise<void> {
    const { offered } = this;
    if (offered === null || this.isOffered) return;
    this.isOffered = true;
    const agreed = await this.ports.offer(offered);
    if (agreed !== undefined) await this.decide(agreed);
  }

  private decided(): { readonly [address: string]: boolean | undefined } {
    const kept = this.ports.state.get<unknown>(decidedKey);
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'boolean'));
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
