// The agents in the person's settings, by the names that they gave them. Pure. Promises: an entry that could not be
// started is passed over, and takes nothing else with it.

export interface ConfiguredAgent {
  readonly command: string;
  readonly args: readonly string[];
  /** As it is written: secrets are still named. */
  readonly env: { readonly [name: string]: string };
}

export function configuredAgentsIn(value: unknown): ReadonlyMap<string, ConfiguredAgent> {
  const found = new Map<string, ConfiguredAgent>();
  if (typeof value !== 'object' || value === null) return found;
  for (const [id, one] of Object.entries(value as { readonly [id: string]: unknown })) {
    const fields = (one ?? {}) as { readonly [field: string]: unknown };
    const { command, args = [], env = {} } = fields;
    if (typeof command !== 'string' || command === '' || !Array.isArray(args)) continue;
    if (!args.every(arg => typeof arg === 'string') || typeof env !== 'object' || env === null) continue;
    const own = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    found.set(id, { command, args, env: Object.fromEntries(own) });
  }
  return found;
}
