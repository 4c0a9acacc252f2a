// Measuring and judging: interleaved rounds, quantiles, and the rows of the table. Promises: the order of the variants
// turns and is reversed from round to round, so that nobody always runs first or always behind the same neighbour; a
// limit is held against the ratio where a row has one, else against our own number. It knows nothing of history.

export interface Row {
  readonly id: string;
  /** Null where there was nothing to measure. */
  readonly ours: number | null;
  readonly reference: number | null;
  readonly referenceName: string | null;
  readonly ratio: number | null;
  readonly limit: number | null;
  readonly pass: boolean | null;
  /** For the table only. */
  readonly note?: string;
}

export type Variant = (round: number) => void | Promise<void>;

/** Named series of numbers. */
export class Samples {
  private readonly series = new Map<string, number[]>();

  add(name: string, value: number): void {
    const values = this.series.get(name);
    if (values) values.push(value);
    else this.series.set(name, [value]);
  }

  quantile(name: string, q: number): number {
    const sorted = (this.series.get(name) ?? []).toSorted((one, other) => one - other);
    const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1));
    const value = sorted[at];
    if (value === undefined) throw new Error(`nothing was measured for ${name}`);
    return value;
  }

  median(name: string): number {
    return this.quantile(name, 0.5);
  }
}

/** `before` runs at the start of each round, outside of every variant. */
export async function interleave(
  rounds: number,
  variants: readonly Variant[],
  before: (round: number) => void = () => {},
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    before(round);
    const from = (round >> 1) % variants.length;
    const turned = [...variants.slice(from), ...variants.slice(0, from)];
    for (const variant of round % 2 === 0 ? turned : turned.toReversed()) await variant(round);
  }
}

/** Ours against a reference of the same run. */
export function against(
  id: string,
  ours: number,
  referenceName: string,
  reference: number,
  limit: number | null = null,
  note?: string,
): Row {
  const ratio = ours / reference;
  const pass = limit === null ? null : ratio <= limit;
  return { id, ours, reference, referenceName, ratio, limit, pass, ...(note === undefined ? {} : { note }) };
}

/** A number that stands for itself. */
export function alone(id: string, ours: number, limit: number | null = null, note?: string): Row {
  const pass = limit === null ? null : ours <= limit;
  return {
    id,
    ours,
    reference: null,
    referenceName: null,
    ratio: null,
    limit,
    pass,
    ...(note === undefined ? {} : { note }),
  };
}

/** What could not be measured although it has to work: that fails, and the note says why. */
export function missing(id: string, limit: number, note: string): Row {
  return { id, ours: null, reference: null, referenceName: null, ratio: null, limit, pass: false, note };
}

/** What was left out on purpose. */
export function skipped(id: string, referenceName: string, note: string): Row {
  return { id, ours: null, reference: null, referenceName, ratio: null, limit: null, pass: null, note };
}

export function sizeName(messages: number): string {
  return messages % 1000 === 0 ? `${messages / 1000}k` : String(messages);
}
