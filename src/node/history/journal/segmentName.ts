// The names of the journal's files. `<session>~<writer>.<k>.seg` has one writer, ever, and only grows;
// `<session>~<writer>.<k>.joined` holds records of many writers and never changes. While either is being copied into
// another it is called `<name>.claimed`: it holds the same, nobody writes to it, and it is read until it is gone.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../../atomicWrite.ts';

export interface SegmentName {
  readonly session: string;
  readonly writer: string;
  readonly k: number;
  /** Whether only records of its writer count. */
  readonly joined: boolean;
}

const pattern = /^([0-9a-z]+)~([0-9a-z]+)\.(\d+)\.(seg|joined)$/;
const claimed = '.claimed';

/** Undefined for any other file, and for a claimed one: that is asked for by the name that it had. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const [, session, writer, k, kind] = pattern.exec(name) ?? [];
  if (session === undefined || writer === undefined) return undefined;
  return { session, writer, k: Number(k), joined: kind === 'joined' };
}

/** The name of a segment whatever it is called now; undefined where the file is none. */
export function segmentOf(fileName: string): string | undefined {
  const name = fileName.endsWith(claimed) ? fileName.slice(0, -claimed.length) : fileName;
  return pattern.test(name) ? name : undefined;
}

export function claimedName(segment: string): string {
  return segment + claimed;
}

/** Every segment of the folder, claimed ones too, each once. */
export function segmentsIn(journal: string): readonly string[] {
  return namedIn(journal, '');
}

/** Those of one session. */
export function sessionSegments(journal: string, session: string): readonly string[] {
  return namedIn(journal, `${session}~`);
}

function namedIn(journal: string, beginning: string): readonly string[] {
  const segments = new Set<string>();
  for (const name of readdirSync(journal)) {
    const segment = name.startsWith(beginning) ? segmentOf(name) : undefined;
    if (segment !== undefined) segments.add(segment);
  }
  return [...segments];
}

/** Runs with the file of a segment, under whichever name it has; throws what `run` throws where it has none. */
export function withFile<Value>(journal: string, segment: string, run: (file: string) => Value): Value {
  const file = join(journal, segment);
  try {
    return run(file);
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    return run(file + claimed);
  }
}

export function isMissing(cause: unknown): boolean {
  return systemCodeOf(cause) === 'ENOENT';
}
