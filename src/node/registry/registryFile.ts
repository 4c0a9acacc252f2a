// The registry of agents from the network, and the last one that came. Promises: it is asked for only when this is called,
// and not again within the hour; one that is no registry never takes the place of one that is; where the network fails, the
// last one serves and its age is said.

import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, writeAtomic } from '../atomicWrite.ts';
import { agentsIn, type RegistryAgent } from './registry.ts';

export interface RegistryPorts {
  readonly url: string;
  readonly file: string;
  readonly platform: string | null;
  readonly download: (url: string, signal: AbortSignal) => Promise<Response>;
  readonly now: () => number;
}

export interface Registry {
  readonly agents: readonly RegistryAgent[];
  /** When it came, in milliseconds since the epoch. */
  readonly since: number;
  /** Why there is no newer one; null where there need not be. */
  readonly trouble: string | null;
}

const fresh = 60 * 60_000;
const mostBytes = 8 * 1024 * 1024;

/** Throws in words where there is none, neither there nor here. */
export async function registryOf(ports: RegistryPorts, signal: AbortSignal): Promise<Registry> {
  const kept = await keptIn(ports);
  const age = kept ? ports.now() - kept.since : Infinity;
  if (kept && age >= 0 && age < fresh) return kept;
  try {
    const text = await textOf(await ports.download(ports.url, signal));
    const agents = agentsIn(text, ports.platform);
    const since = ports.now();
    await keep(ports.file, text, since);
    return { agents, since, trouble: null };
  } catch (cause) {
    if (signal.aborted) throw cause;
    const trouble = cause instanceof Error ? causeOf(cause) : String(cause);
    if (kept) return { ...kept, trouble };
    throw new Error(`The registry of agents could not be read: ${trouble}`, { cause });
  }
}

async function textOf(response: Response): Promise<string> {
  if (!response.ok) throw new Error(`its server answered ${response.status}.`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw new Error('what came is far too long for it.');
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

async function keptIn({ file, platform }: RegistryPorts): Promise<Registry | null> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    const { since, text } = kept as { readonly since: unknown; readonly text: unknown };
    if (typeof since !== 'number' || typeof text !== 'string') return null;
    return { agents: agentsIn(text, platform), since, trouble: null };
  } catch {
    // There is none yet, or it cannot be read: it is fetched again.
    return null;
  }
}

async function keep(file: string, text: string, since: number): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeAtomic(file, JSON.stringify({ since, text }));
  } catch {
    // What came serves without being kept; it is fetched again the next time.
  }
}

/** A failed request says only that it failed; why is one further down, and often a code that no person knows. */
function causeOf(error: Error): string {
  if (error instanceof SyntaxError) return 'what came is not a registry: a sign-in page of the network, perhaps.';
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  if (/^(ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)$/.test(code))
    return 'its server was not found. Is this machine online?';
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return 'its server refused, or broke it off.';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'its server did not answer in time.';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return `this machine does not trust the certificate it was given (${code}).`;
  return cause.message || error.message;
}
