/**
 * Who may receive something: people whom the owner named for this task, by name or exact address, in words that ask
 * for it.
 */
import type { Finding, TrustFacts } from "./facts.ts";
import { findValue } from "./find-value.ts";
import { asksToDraftFor, asksToWrite, asksToWriteTo, corrects, isGoAhead, meantByPronoun } from "./intent.ts";
import { trustOf, type Span } from "./span.ts";
import { plain, standsAt } from "./words.ts";

export interface RecipientQuestion {
  argument: string;
  /** As the model wrote it. */
  value: string;
  /** As the tool resolves it: `channel/account:id`, an address. */
  recipient: string | undefined;
}

interface Surroundings {
  spans: readonly Span[];
  /** The owner's words for this task. */
  task: readonly string[];
  /** Those of this turn alone. */
  now: string;
  /** Those of the previous turn. */
  before: string;
  facts: TrustFacts;
}

/** Undefined: allowed. Pure. */
export function judgeRecipient(
  { spans, task, now, before, facts }: Surroundings,
  { argument, value, recipient }: RecipientQuestion,
): Finding | undefined {
  const meant = [value, ...(recipient === undefined ? [] : [recipient])];
  if (isOwners(facts, meant)) return undefined;
  // A lookalike name belongs to somebody else: names are compared as people read them, and used as written.
  const names = meant.every(isAsItLooks) ? [...contactNames(facts, meant), ...meant.filter(isTelling)] : [];
  const pronoun = meantByPronoun(task.join("\n"), Object.keys(facts.contacts));
  const asked = (name: string) =>
    [...task, task.join("\n")].some((words) => asksToWriteTo(words, name)) ||
    (isGoAhead(now) && task.some((words) => asksToDraftFor(words, name))) ||
    (corrects(now, name) && asksToWrite(before)) ||
    pronoun === name;
  if (names.some(asked)) return undefined;
  // Without any untrusted text only the owner can have thought of it: naming the recipient is enough.
  const isClean = !spans.some((span) => trustOf(span) === "stranger");
  if (isClean && names.some((name) => task.some((words) => standsAt(plain(words), plain(name)) >= 0)))
    return undefined;
  if (names.length > 0 && trustedLines(spans, meant).some((line) => namesIn(line).some(asked)))
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

/** Whether it is one of the owner's places. Pure. */
export const isOwners = ({ owners }: TrustFacts, meant: readonly string[]): boolean =>
  meant.some((each) => owners.some((owner) => isSamePlace(owner, each)));

/** The owner's names for these places. */
const contactNames = ({ contacts }: TrustFacts, meant: readonly string[]): string[] =>
  Object.entries(contacts).flatMap(([name, places]) => {
    const isMeant = meant.some(
      (each) => plain(each) === plain(name) || places.some((place) => isSamePlace(place, each)),
    );
    return isMeant ? [name] : [];
  });

const isAsItLooks = (value: string): boolean =>
  value === value.normalize("NFKC") && !/[\p{Cf}\p{Cc}]/u.test(value) && value === value.trim();

/** A few digits occur in many sentences and identify nobody. */
const isTelling = (value: string): boolean => value.length >= 2 && !/^\d{1,5}$/u.test(value);

/** The lines of our own texts that contain this address. */
const trustedLines = (spans: readonly Span[], meant: readonly string[]): string[] =>
  spans
    .filter(({ origin }) => origin === "prompt")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => meant.some((each) => isTelling(each) && standsAt(plain(line), plain(each)) >= 0));

const namesIn = (line: string): string[] => line.match(/\p{Lu}[\p{L}\p{M}'-]+|\p{Script=Han}{2,4}/gu) ?? [];

/**
 * `telegram:42` matches `telegram/main:42` on any account. Ids are compared exactly: two lookalikes are two people.
 */
function isSamePlace(one: string, other: string): boolean {
  if (one === other || (isMail(one) && isMail(other) && one.toLowerCase() === other.toLowerCase()))
    return true;
  const [a, b] = [readPlace(one), readPlace(other)];
  if (!a || !b || a.channel !== b.channel || a.id !== b.id) return false;
  return a.account === undefined || b.account === undefined || a.account === b.account;
}

const isMail = (place: string): boolean => /^[\x21-\x7e]+@[\x21-\x7e]+$/u.test(place);

function readPlace(place: string): { channel: string; account: string | undefined; id: string } | undefined {
  // A session key names its conversation.
  const [, of, peer] =
    /^(?:session:)?agent:.*?:([a-z0-9_-]+):(?:group|room|direct|dm|user):([^:@\s]+)(?::(?:thread|topic):[^:@\s]+)?$/u.exec(
      place,
    ) ?? [];
  if (of !== undefined && peer !== undefined) return { channel: of, account: undefined, id: peer };
  // The suffix after the id is its kind; the owner wrote the id alone.
  const [, channel, account, id] =
    /^([a-z0-9_-]+)(?:\/([^:]+))?:([^@\s]+?)(?:#(?:group|room|thread\/[^#@\s]+))*$/u.exec(place) ?? [];
  return channel === undefined || id === undefined ? undefined : { channel, account, id };
}
