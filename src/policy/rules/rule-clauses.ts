/**
 * Takes what a rule forbids apart: who says "never delete files or send messages" forbids two things, and each counts by itself. What
 * could as well be something to do instead ("never run commands, use the web") is not taken for a prohibition.
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

/** What is not to be done, and to what; every deed goes with every target. */
export interface Clause {
  deeds: Deed[];
  targets: Target[];
}

export interface Target {
  things: ReadonlySet<Thing>;
  objects: readonly RuleObject[];
  /** Whether its nouns say what is forbidden where no deed does. */
  isTelling: boolean;
}

/** Undefined when a word is left over, or when it is not plain that every part is forbidden. */
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
  /** What joins it to the part before. */
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
    // Of ", or" the second counts.
    if (meaning?.type === "joint" && joint !== "or") ({ joint } = meaning);
  }
  return parts;
}

/** Undefined when a word is not known, or when two things are done in one: "use the shell to delete files". */
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

/** Who is meant by "me" is clear where somebody is reminded or something remembered, and nowhere else. */
const isSilent = (word: string, before: string): boolean =>
  word === "me" && /^(?:remind(?:ing)?|about)$/.test(before);

/**
 * A deed after a comma is forbidden only in a list that ends with "or"; after "and" only where it shares what it is done to with the
 * deed before. Otherwise it may be what is to be done instead.
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
 * "files or folders in photos/" are both in photos/; but of "files or /etc" nobody can say whether all files are meant, and neither of
 * a place that is named for the first alone.
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

/** Undefined when it cannot be read to its end. `hopeless` are the lengths of what was tried in vain. */
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
