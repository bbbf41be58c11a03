/**
 * The `Headers` of the web platform, without Node's: to touch those loads the whole of Node's `fetch`, which costs a small gateway a sixth
 * of its memory.
 */
type HeadersInit = NonNullable<RequestInit["headers"]>;

export class HttpHeaders implements Headers {
  // By name in small letters.
  readonly #values = new Map<string, string>();
  readonly #cookies: string[] = [];

  /** Throws TypeError for what cannot be sent, as every method that takes a name or a value does. */
  constructor(init: HeadersInit = {}) {
    if (init instanceof HttpHeaders) {
      // They have been looked at.
      for (const [name, value] of init.#values) this.#values.set(name, value);
      this.#cookies.push(...init.#cookies);
      return;
    }
    const pairs = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of pairs as Iterable<readonly [string, string]>) this.append(name, value);
  }

  append(name: string, value: string): void {
    const key = keyOf(name);
    const text = valueOf(value);
    if (key === "set-cookie") return void this.#cookies.push(text);
    const before = this.#values.get(key);
    this.#values.set(key, before === undefined ? text : `${before}, ${text}`);
  }

  delete(name: string): void {
    const key = keyOf(name);
    if (key === "set-cookie") this.#cookies.length = 0;
    else this.#values.delete(key);
  }

  get(name: string): string | null {
    const key = keyOf(name);
    if (key === "set-cookie") return this.#cookies.length > 0 ? this.#cookies.join(", ") : null;
    return this.#values.get(key) ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  set(name: string, value: string): void {
    this.delete(name);
    this.append(name, value);
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  forEach(act: (value: string, name: string, headers: HttpHeaders) => void, self?: unknown): void {
    for (const [name, value] of this) act.call(self, value, name, this);
  }

  *keys() {
    for (const [name] of this) yield name;
  }

  *values() {
    for (const [, value] of this) yield value;
  }

  entries() {
    return this[Symbol.iterator]();
  }

  /** In the order of the names; each cookie by itself. */
  *[Symbol.iterator](): Generator<[string, string], undefined> {
    const pairs = [...this.#values];
    for (const value of this.#cookies) pairs.push(["set-cookie", value]);
    yield* pairs.sort(byName);
  }

  get [Symbol.toStringTag](): string {
    return "Headers";
  }
}

const byName = (one: readonly [string, string], other: readonly [string, string]): number =>
  one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0;

function keyOf(name: string): string {
  const text = String(name);
  if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(text))
    throw new TypeError(`${JSON.stringify(text)} is no name of a header`);
  return text.toLowerCase();
}

function valueOf(value: string): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  // The value may be a key: it is not repeated.
  if (/[\0\n\r\u0100-\uffff]/.test(text)) throw new TypeError("a header has a value that cannot be sent");
  return text;
}
