// Where the value of a secret goes: to the origin of a server, or into the environment of a program. Pure. Whoever wants
// a value has to name one, so that `Secrets` can compare it with where the person gave the secret for.

import { typedAs } from './adding/commandWords.ts';

export type SecretDestination =
  | { readonly kind: 'origin'; readonly origin: string }
  /** As the settings have it: secrets are still named, and nothing is looked up on the PATH. */
  | { readonly kind: 'program'; readonly command: string; readonly args: readonly string[] };

/** The scheme, host and port of an address. Throws TypeError where it is none. */
export function originOf(url: string): SecretDestination {
  return { kind: 'origin', origin: new URL(url).origin };
}

export function programOf(line: { readonly command: string; readonly args: readonly string[] }): SecretDestination {
  return { kind: 'program', command: line.command, args: line.args };
}

/** Equal for equal destinations, and for no others. */
export function destinationKey(to: SecretDestination): string {
  return JSON.stringify(to.kind === 'origin' ? [to.kind, to.origin] : [to.kind, to.command, ...to.args]);
}

/** As a person reads it. */
export function shownDestination(to: SecretDestination): string {
  return to.kind === 'origin' ? to.origin : typedAs(to.command, to.args);
}

/** Undefined where this isn't what a version of ours stored. */
export function storedDestination(stored: unknown): SecretDestination | undefined {
  const { kind, origin, command, args } = (stored ?? {}) as { readonly [field: string]: unknown };
  if (kind === 'origin' && typeof origin === 'string') return { kind, origin };
  if (kind !== 'program' || typeof command !== 'string' || !Array.isArray(args)) return undefined;
  return args.every(arg => typeof arg === 'string') ? { kind, command, args } : undefined;
}
