/**
 * The `Headers` of the web platform, without Node's: to touch those loads the whole of Node's `fetch`, which costs a small gateway a sixth
 * of its memory.
 */

type HeadersInit = NonNullable<RequestInit["headers"]>;

export class HttpHeaders implements Headers {
  // By name in small letters.
  readonly #values: Map<string, string>;
  readonly #cookies: string[] = [];

  /** Throws TypeError for what cannot be sent, as every method that takes a name or a value does. */
  constructor(init: HeadersInit = {}) {
    if (init instanceof HttpHeaders) {
      // They have been looked at.
      this.#values = new Map(init.#values);
      this.#cookies.push(...init.#cookies);
      return;
    }
    this.#values = new Map();
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
    const key = keyOf(name);
    const text = valueOf(value);
    if (key !== "set-cookie") return void this.#values.set(key, text);
    this.#cookies.length = 0;
    this.#cookies.push(text);
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
  [Symbol.iterator](): ArrayIterator<[string, string]> {
    const pairs: Array<[string, string]> = [...this.#values];
    for (const value of this.#cookies) pairs.push(["set-cookie", value]);
    return pairs.sort(byName).values();
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
  const text = trimmed(String(value));
  // The value may be a key: it is not repeated.
  if (/[\0\n\r\u0100-\uffff]/.test(text)) throw new TypeError("a header has a value that cannot be sent");
  return text;
}

const space = 32;

/** Nearly none has anything to take off, and to see that takes two looks. */
function trimmed(text: string): string {
  if (text.charCodeAt(0) > space && text.charCodeAt(text.length - 1) > space) return text;
  return text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
}
