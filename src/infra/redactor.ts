/**
 * Keeps secrets out of everything that is written: each value that is known to be secret is replaced by
 * its name, in text and in data. Applied on the write path (terminal, log, transcript), so that no caller has to remember.
 */
export interface Redactor {
  /** From now on `value` is written as `[secret:name]`. Values of fewer than 6 characters would hit innocent text and are left. */
  add(name: string, value: string): void;
  text(text: string): string;
  /** A copy of data from elsewhere with every string redacted, names included. */
  data<Data>(data: Data): Data;
  /** A copy of our own data with every value redacted; its names are ours and stay. */
  values<Data>(data: Data): Data;
}

const shortest = 6;

export function createRedactor(): Redactor {
  const names = new Map<string, string>();
  let pattern: RegExp | undefined;

  const text = (input: string) =>
    pattern ? input.replace(pattern, (found) => `[secret:${names.get(found) ?? "unknown"}]`) : input;

  const copy = (input: unknown, name: (key: string) => string): unknown => {
    if (typeof input === "string") return text(input);
    if (Array.isArray(input)) return input.map((each) => copy(each, name));
    if (typeof input !== "object" || input === null) return input;
    return Object.fromEntries(Object.entries(input).map(([key, value]) => [name(key), copy(value, name)]));
  };

  return {
    add(name, value) {
      // A secret inside a JSON string is written escaped: know it in that form too.
      const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponentSafe(value)];
      const fresh = forms.filter((form) => form.length >= shortest && !names.has(form));
      // Told again with every request that uses it.
      if (fresh.length === 0) return;
      for (const form of fresh) names.set(form, name);
      // Longest first, so that a secret that contains another is replaced whole.
      const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length);
      pattern = new RegExp(longestFirst.map(escapeForRegExp).join("|"), "g");
    },
    text,
    data: <Data>(input: Data) => (pattern ? (copy(input, text) as Data) : input),
    values: <Data>(input: Data) => (pattern ? (copy(input, (key) => key) as Data) : input),
  };
}

const escapeForRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

function encodeURIComponentSafe(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
