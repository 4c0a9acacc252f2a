// Very long texts in an answer of the worker go to the other thread in parts, each asked for by itself, so that a thread that
// has other things to do does them in between: fifty megabytes at once hold it up for longer than a person's key may wait.
// Promises: what is put together is what was taken apart, and a text stays here until its last part was given.

/** Where in an answer a text was, and how long it is. */
export interface LongText {
  readonly path: readonly (string | number)[];
  readonly length: number;
}

const longest = 4 * 1024 * 1024;
const partLength = 1024 * 1024;
/** Texts of messages stand no deeper, and what does may be nested without an end. */
const deepest = 12;

export class LongTexts {
  private readonly kept = new Map<number, string[]>();

  /** What remains of the answer to this call, and what was taken out of it. */
  takeOut(call: number, answer: unknown): { readonly value: unknown; readonly texts: readonly LongText[] } {
    const [texts, found]: [string[], LongText[]] = [[], []];
    const without = (value: unknown, path: readonly (string | number)[]): unknown => {
      if (typeof value === 'string') {
        if (value.length <= longest) return value;
        texts.push(value);
        found.push({ path, length: value.length });
        return '';
      }
      if (path.length >= deepest) return value;
      if (Array.isArray(value)) return changed(value, (one, at) => without(one, [...path, at]));
      if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
        return value;
      const entries = Object.entries(value);
      const others = changed(entries, entry => {
        const one = without(entry[1], [...path, entry[0]]);
        return one === entry[1] ? entry : ([entry[0], one] as [string, unknown]);
      });
      return others === entries ? value : Object.fromEntries(others);
    };
    const value = without(answer, []);
    if (texts.length > 0) this.kept.set(call, texts);
    return { value, texts: found };
  }

  /** A part of a text that was taken out; the last part of the last text lets go of all. */
  part(call: number, text: number, offset: number): string {
    const texts = this.kept.get(call) ?? [];
    const whole = texts[text] ?? '';
    const end = offset + partLength;
    if (end >= whole.length && text === texts.length - 1) this.kept.delete(call);
    return whole.slice(offset, end);
  }
}

/** Puts them back where they were. `part` asks the worker. */
export async function putBack(
  answer: unknown,
  texts: readonly LongText[],
  part: (text: number, offset: number) => Promise<string>,
): Promise<void> {
  for (const [at, { path, length }] of texts.entries()) {
    let text = '';
    while (text.length < length) {
      const more = await part(at, text.length);
      if (more === '') throw new Error('a part of a long text is not there any more');
      text += more;
    }
    const last = path.at(-1);
    let place = answer as { [name: string | number]: unknown };
    for (const name of path.slice(0, -1)) place = place[name] as typeof place;
    if (last !== undefined) place[last] = text;
  }
}

/** The same array where nothing in it is. */
function changed<Item>(all: readonly Item[], change: (one: Item, at: number) => Item): readonly Item[] {
  const others = all.map(change);
  return others.some((one, at) => one !== all[at]) ? others : all;
}
