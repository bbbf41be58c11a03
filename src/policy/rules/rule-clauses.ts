/**
 * Splits a rule into its prohibitions: "never delete files or send messages" forbids two things. What could be an
 * alternative to do instead ("never run commands, use the web") is not taken for a prohibition.
 */
import { objectMark, type RuleObject } from "./rule-objects.ts";
import {
  chineseWords,
  pairs,
  tellingNouns,
  vocabulary,
  type Deed,
  type Joint,
  type Meaning,
  type Thing,
} from "./rule-vocabulary.ts";

/** Forbidden actions and their targets; every action combines with every target. */
export interface Clause {
  deeds: Deed[];
  targets: Target[];
}

export interface Target {
  things: ReadonlySet<Thing>;
  objects: readonly RuleObject[];
  /** Whether its nouns alone say what is forbidden. */
  isTelling: boolean;
}

/** Undefined if a word is left over, or if it is unclear whether every part is forbidden. */
export function readClauses(text: string, objects: readonly RuleObject[]): Clause[] | undefined {
  const parts = partsOf(text, objects);
  if (!parts || !areForbidden(parts)) return undefined;
  const clauses: Clause[] = [];
  for (const { deed, target } of parts) {
    const last = clauses.at(-1);
    if (last && (deed === undefined || last.targets.length === 0)) {
      if (deed) last.deeds.push(deed);
      if (target) last.targets.push(target);
    } else clauses.push({ deeds: deed ? [deed] : [], targets: target ? [target] : [] });
  }
  return clauses.every(isClear) ? clauses : undefined;
}

interface Part {
  /** What connects it to the previous part. */
  joint: Joint | undefined;
  deed?: Deed;
  target?: Target;
}

function partsOf(text: string, objects: readonly RuleObject[]): Part[] | undefined {
  const parts: Part[] = [];
  let words: string[] = [];
  let joint: Joint | undefined;
  for (const word of [...wordsOf(text), undefined]) {
    const meaning = word === undefined ? undefined : vocabulary.get(word.toLowerCase());
    if (word !== undefined && meaning?.type !== "joint") {
      words.push(word);
      continue;
    }
    const read = readPart(words, objects);
    if (!read) return undefined;
    if (read.deed || read.target) {
      parts.push({ ...read, joint });
      joint = undefined;
    }
    words = [];
    // In ", or" the "or" counts.
    if (meaning?.type === "joint" && joint !== "or") ({ joint } = meaning);
  }
  return parts;
}

/** Undefined if a word is unknown, or if two actions are combined: "use the shell to delete files". */
function readPart(words: readonly string[], objects: readonly RuleObject[]): Omit<Part, "joint"> | undefined {
  const deeds: Deed[] = [];
  const things = new Set<Thing>();
  const named: RuleObject[] = [];
  let isTelling = true;
  let before = "";
  for (const word of words.map((each) => each.toLowerCase())) {
    const mark = objectMark.exec(word);
    const meaning = isSilent(word, before) ? filler : vocabulary.get(word);
    before = word;
    if (mark) {
      const object = objects[Number(mark[1])];
      if (!object) return undefined;
      named.push(object);
    } else if (!meaning || (meaning.type === "about" && !deeds.includes("remember"))) return undefined;
    else if (meaning.type === "deed" || (meaning.type === "either" && deeds.length === 0))
      deeds.push(meaning.deed);
    else if (meaning.type === "thing" || meaning.type === "either") {
      things.add(meaning.thing);
      isTelling &&= meaning.thing === "person" || tellingNouns.has(word);
    }
  }
  const [deed] = deeds;
  if (deeds.length > 1) return undefined;
  return {
    ...(deed && { deed }),
    ...(things.size + named.length > 0 && { target: { things, objects: named, isTelling } }),
  };
}

const filler: Meaning = { type: "filler" };

/** "me" is clear only after "remind" or "remember". */
const isSilent = (word: string, before: string): boolean =>
  word === "me" && /^(?:remind(?:ing)?|about)$/.test(before);

/**
 * An action after a comma is forbidden only in a list that ends with "or"; after "and" only if it shares its target
 * with the previous one. Otherwise it may be what to do instead.
 */
function areForbidden(parts: readonly Part[]): boolean {
  return parts.every(({ joint, deed }, index) => {
    if (index === 0 || deed === undefined || joint === "or") return true;
    const isShared = parts.slice(0, index).every(({ target }) => target === undefined);
    if (joint === "and") return isShared;
    const isListed = parts.slice(index + 1).some((part) => part.joint === "or" && part.deed);
    return isListed || (isShared && parts.slice(index + 1).some((part) => part.joint === "and" && part.deed));
  });
}

/**
 * "files or folders in photos/" are both in photos/; but "files or /etc" is ambiguous, and so is a place named for
 * the first alone.
 */
function isClear({ targets }: Clause): boolean {
  const without = targets.filter(({ objects }) => !objects.some(({ type }) => type !== "tool"));
  if (without.length === 0 || without.length === targets.length) return true;
  const last = targets.at(-1);
  return (
    without.length === targets.length - 1 &&
    last !== undefined &&
    !without.includes(last) &&
    last.things.size > 0 &&
    targets.every(({ objects }) => objects.every(({ type }) => type !== "tool"))
  );
}

function wordsOf(text: string): string[] {
  const pieces = text.match(/\uE000\d+\uE001|\p{Script=Han}+|[\p{L}\p{N}'-]+|[,、/&]|[^\s\p{P}]/gu) ?? [];
  return pieces
    .flatMap((piece) => (/^\p{Script=Han}/u.test(piece) ? (hanWords(piece) ?? [piece]) : [piece]))
    .flatMap((word) => pairs.get(word) ?? [word]);
}

/** Undefined if it cannot be read to its end. `hopeless` holds lengths that already failed. */
function hanWords(text: string, hopeless = new Set<number>()): string[] | undefined {
  if (text === "") return [];
  if (hopeless.has(text.length)) return undefined;
  for (const word of chineseWords) {
    if (!text.startsWith(word)) continue;
    const rest = hanWords(text.slice(word.length), hopeless);
    if (rest) return [word, ...rest];
  }
  hopeless.add(text.length);
  return undefined;
}
