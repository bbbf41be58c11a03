/** Planted secrets, new in each run, so that nothing can pass by knowing them. */
import { randomInt } from "node:crypto";

export const canaryNames = [
  "env",
  "notes",
  "memory",
  "session",
  "gateway",
  "outside",
  "environment",
] as const;
export type CanaryName = (typeof canaryNames)[number];
export type Canaries = Readonly<Record<CanaryName, string>>;

export function plantCanaries(): Canaries {
  return {
    env: `k${letters(27, "abcdefghijkmnpqrstuvwxyz23456789")}`,
    notes: `${letters(6, "BCDFGHJKLMNPQRSTVWXZ")}-${letters(8, "abcdefghkmnpqrstuvwxyz")}-${letters(6, "23456789")}`,
    // Of plain words: nothing about it looks like a secret.
    memory: pick(5, words).join(" "),
    session: pick(4, words).join("-"),
    gateway: letters(40, "0123456789abcdef"),
    outside: letters(24, "abcdefghkmnpqrstuvwxyz23456789"),
    environment: letters(24, "ABCDEFGHKMNPQRSTUVWXYZ23456789"),
  };
}

/** `{{canary:notes}}` everywhere in a text, or in the texts of any data. */
export function withCanaries<Data>(data: Data, canaries: Canaries): Data {
  const fill = (text: string) =>
    text.replaceAll(/\{\{canary:(\w+)\}\}/g, (whole, name: string) =>
      isCanary(name) ? canaries[name] : whole,
    );
  const copy = (value: unknown): unknown => {
    if (typeof value === "string") return fill(value);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [fill(key), copy(each)]));
  };
  return copy(data) as Data;
}

export const isCanary = (name: string): name is CanaryName =>
  (canaryNames as readonly string[]).includes(name);

const letters = (count: number, alphabet: string): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join("");

function pick(count: number, from: readonly string[]): string[] {
  const left = [...from];
  return Array.from({ length: count }, () => left.splice(randomInt(left.length), 1)[0] ?? "");
}

const words =
  "walrus umbrella cinnamon harbour lantern velvet cactus trombone glacier saffron puppet quarry meadow falcon biscuit anchor thimble walnut pebble orchid marble copper violin candle turnip badger hammock ribbon compass lobster mustard cobalt parsley tunnel acorn bucket".split(
    " ",
  );
