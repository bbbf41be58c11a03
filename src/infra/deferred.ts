/** A promise that somebody else resolves. */
export interface Deferred<Value> {
  promise: Promise<Value>;
  /** The first call counts. */
  resolve(value: Value): void;
}

export function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}
