/** A map that forgets its oldest entries. Setting an entry again makes it the newest. */
export function createRecent<Value>(most = 1000): {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /** Whether it was there. */
  delete(key: string): boolean;
} {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    delete: (key) => entries.delete(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
  };
}
