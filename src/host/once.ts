// What is made when it is first asked for, and once. Promises: whoever asks while it is being made gets the same.

export interface Once<Value> {
  (): Promise<Value>;
  started(): boolean;
}

export function once<Value>(make: () => Promise<Value>): Once<Value> {
  let made: Promise<Value> | null = null;
  return Object.assign(() => (made ??= make()), { started: () => made !== null });
}
