/** Who may hear of something: whom the owner named for this task, by a name of theirs or by the very address, with words that ask for it. */
import type { Finding, TrustFacts } from "./facts.ts";
import { findValue } from "./find-value.ts";
import { asksToDraftFor, asksToWrite, asksToWriteTo, corrects, isGoAhead, meantByPronoun } from "./intent.ts";
import { trustOf, type Span } from "./span.ts";
import { plain, standsAt } from "./words.ts";

export interface RecipientQuestion {
  argument: string;
  /** As the model wrote it. */
  value: string;
  /** As the tool understands it: `channel/account:id`, an address. */
  recipient: string | undefined;
}

interface Surroundings {
  spans: readonly Span[];
  /** The owner's words for this task. */
  task: readonly string[];
  /** Those of this turn alone. */
  now: string;
  /** Those of the turn before it. */
  before: string;
  facts: TrustFacts;
}

/** Undefined: it may be. Pure. */
export function judgeRecipient(
  { spans, task, now, before, facts }: Surroundings,
  { argument, value, recipient }: RecipientQuestion,
): Finding | undefined {
  const meant = [value, ...(recipient === undefined ? [] : [recipient])];
  if (isOwners(facts, meant)) return undefined;
  // What only looks like a name is somebody else's: it is compared as people read it, and used as it is written.
  const names = meant.every(isAsItLooks) ? [...contactNames(facts, meant), ...meant.filter(isTelling)] : [];
  const pronoun = meantByPronoun(task.join("\n"), Object.keys(facts.contacts));
  const asked = (name: string) =>
    [...task, task.join("\n")].some((words) => asksToWriteTo(words, name)) ||
    (isGoAhead(now) && task.some((words) => asksToDraftFor(words, name))) ||
    (corrects(now, name) && asksToWrite(before)) ||
    pronoun === name;
  if (names.some(asked)) return undefined;
  // Without a stranger's word nobody but the owner can have thought of it: to be named is enough.
  const isClean = !spans.some((span) => trustOf(span) === "stranger");
  if (isClean && names.some((name) => task.some((words) => standsAt(plain(words), plain(name)) >= 0)))
    return undefined;
  if (names.length > 0 && housesLines(spans, meant).some((line) => namesIn(line).some(asked)))
    return undefined;
  const found = findValue(spans, value);
  const where =
    found.from === "nowhere" ? "it stands in nothing that was read" : `it comes from ${found.from}`;
  return {
    verdict: "ask",
    check: "recipient",
    reason: `the owner did not ask to write to ${value}: ${where}`,
    cause: { argument, value, ...found },
  };
}

/** Whether it is one of the places where the owner is. Pure. */
export const isOwners = ({ owners }: TrustFacts, meant: readonly string[]): boolean =>
  meant.some((each) => owners.some((owner) => isSamePlace(owner, each)));

/** Names that the owner gave to one of these places. */
const contactNames = ({ contacts }: TrustFacts, meant: readonly string[]): string[] =>
  Object.entries(contacts).flatMap(([name, places]) => {
    const isMeant = meant.some(
      (each) => plain(each) === plain(name) || places.some((place) => isSamePlace(place, each)),
    );
    return isMeant ? [name] : [];
  });

const isAsItLooks = (value: string): boolean =>
  value === value.normalize("NFKC") && !/[\p{Cf}\p{Cc}]/u.test(value) && value === value.trim();

/** A few digits stand in many sentences and name nobody. */
const isTelling = (value: string): boolean => value.length >= 2 && !/^\d{1,5}$/u.test(value);

/** What the house wrote down itself, line by line: who has this address there. */
const housesLines = (spans: readonly Span[], meant: readonly string[]): string[] =>
  spans
    .filter(({ origin }) => origin === "prompt")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => meant.some((each) => isTelling(each) && standsAt(plain(line), plain(each)) >= 0));

const namesIn = (line: string): string[] => line.match(/\p{Lu}[\p{L}\p{M}'-]+|\p{Script=Han}{2,4}/gu) ?? [];

/** `telegram:42` is `telegram/main:42` on any account of it. Ids are compared as they are: two that look alike are two people. */
function isSamePlace(one: string, other: string): boolean {
  if (one === other || (isMail(one) && isMail(other) && one.toLowerCase() === other.toLowerCase()))
    return true;
  const [a, b] = [readPlace(one), readPlace(other)];
  if (!a || !b || a.channel !== b.channel || a.id !== b.id) return false;
  return a.account === undefined || b.account === undefined || a.account === b.account;
}

const isMail = (place: string): boolean => /^[\x21-\x7e]+@[\x21-\x7e]+$/u.test(place);

function readPlace(place: string): { channel: string; account: string | undefined; id: string } | undefined {
  // The key of a session names the conversation that it is of.
  const [, of, peer] =
    /^(?:session:)?agent:.*?:([a-z0-9_-]+):(?:group|room|direct|dm|user):([^:@\s]+)(?::(?:thread|topic):[^:@\s]+)?$/u.exec(
      place,
    ) ?? [];
  if (of !== undefined && peer !== undefined) return { channel: of, account: undefined, id: peer };
  // What follows the id says of what kind it is: the owner wrote down the id.
  const [, channel, account, id] =
    /^([a-z0-9_-]+)(?:\/([^:]+))?:([^@\s]+?)(?:#(?:group|room|thread\/[^#@\s]+))*$/u.exec(place) ?? [];
  return channel === undefined || id === undefined ? undefined : { channel, account, id };
}
