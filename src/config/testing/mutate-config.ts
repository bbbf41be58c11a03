/** Damages a config text in the ways that editors, programs and accidents do. The same seed does the same damage. */
import { everydayConfig, olderConfig, sampleWithMemory } from "./samples.ts";

export function createMutator(seed: number): () => string {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const at = (text: string) => Math.floor(random() * (text.length + 1));
  const bases = [everydayConfig, sampleWithMemory, olderConfig];

  const damages: Array<(text: string) => string> = [
    (text) => {
      const bytes = Buffer.from(text);
      for (let flips = 1 + random() * 3; flips > 0; flips--) {
        const index = Math.floor(random() * bytes.length);
        bytes[index] = (bytes[index] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      return bytes.toString("utf8");
    },
    (text) => text.slice(0, at(text)),
    (text) => {
      const [start, end] = [at(text), at(text)].sort((a, b) => a - b) as [number, number];
      return text.slice(0, start) + text.slice(end);
    },
    (text) => {
      const tokens = text.split(/\b/);
      const [one, other] = [Math.floor(random() * tokens.length), Math.floor(random() * tokens.length)];
      [tokens[one], tokens[other]] = [tokens[other] ?? "", tokens[one] ?? ""];
      return tokens.join("");
    },
    (text) => replaceSome(text, /"[^"]*"|\b\d+\b|\btrue\b|\[\]|\{\}/g, () => pick(strangeValues), random),
    (text) =>
      replaceSome(
        text,
        /\b[a-zA-Z]+(?=:)/g,
        (name) => pick([...strangeNames, `${name}x`, name.slice(1)]),
        random,
      ),
    (text) => {
      const place = at(text);
      return text.slice(0, place) + pick(strangeValues) + text.slice(place);
    },
    () => randomValue(random, pick, 0),
  ];

  return () => {
    let text = pick(bases);
    for (let rounds = 1 + Math.floor(random() * 3); rounds > 0; rounds--) text = pick(damages)(text);
    return text;
  };
}

const strangeValues = [
  "null",
  "NaN",
  "-Infinity",
  "1e999",
  "-1",
  "0.5",
  "''",
  '"x"',
  "[]",
  "{}",
  "[[[]]]",
  "{a:{b:{}}}",
  '"${NOBODY}"',
  '"$${X}"',
  '"${PATH}"',
  "{__proto__:{polluted:1}}",
  "{constructor:1}",
  '"secret:x"',
  "true",
  "9007199254740993",
  '"\\u0000"',
  '"\\ud800"',
  "[1,'a',null]",
];
const strangeNames = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "profile",
  "profiles",
  "agents",
  "channels",
  "gateway",
  "configVersion",
  "'a.b'",
  "length",
  "items",
  "model",
  "agent",
  "routing",
  "identity_links",
];

function replaceSome(
  text: string,
  pattern: RegExp,
  replace: (found: string) => string,
  random: () => number,
): string {
  return text.replace(pattern, (found) => (random() < 0.1 ? replace(found) : found));
}

function randomValue(
  random: () => number,
  pick: <Item>(items: readonly Item[]) => Item,
  depth: number,
): string {
  const kind = depth > 4 ? 0 : Math.floor(random() * 3);
  if (kind === 0) return pick(strangeValues);
  const parts = Array.from({ length: Math.floor(random() * 5) }, () => randomValue(random, pick, depth + 1));
  if (kind === 1) return `[${parts.join(",")}]`;
  return `{${parts.map((part) => `${pick(strangeNames)}: ${part}`).join(", ")}}`;
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
