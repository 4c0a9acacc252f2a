// What is made when it is first asked for, and once. Promises: whoever asks while it is being made gets the same; what could
// not be made is not kept, so that whoever asks next tries again.

export interface Once<Value> {
  (): Promise<Value>;
  /** It is being made, or is there. */
  started(): boolean;
}

export function once<Value>(make: () => Promise<Value>): Once<Value> {
  const all = new Map<'it', Promise<Value>>();
  return Object.assign(() => onceEach(all, 'it', make), { started: () => all.has('it') });
}

/** The same for many, each by its key in a map. */
export function onceEach<Key, Value>(
  all: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = all.get(key);
  if (known) return known;
  const made = make();
  all.set(key, made);
  made.catch(() => {
    if (all.get(key) === made) all.delete(key);
  });
  return made;
}
