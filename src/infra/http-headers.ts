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
    const cookies = this.#cookies.map((value): [string, string] => ["set-cookie", value]);
    const pairs = [...this.#values, ...cookies];
    yield* pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  }

  get [Symbol.toStringTag](): string {
    return "Headers";
  }
}

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
