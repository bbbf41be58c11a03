/**
 * What may leave with a call that a grant covers. From an untainted context the grant is enough. From a tainted one:
 * the private sources of the context are all among the grant's, or the owner has seen this very text in full, or it is
 * worded anew by a writer who sees the owner's words and the grant's sources alone.
 */
import { sameAddress } from "./addresses-in.ts";
import type { CallContext, ShownText } from "../call-context.ts";
import { controlled, textsIn, type CallFacts } from "../call-facts.ts";
import { recipientsOf } from "../grants/covers.ts";
import type { Grant } from "../grants/grant.ts";

export type Leaving =
  | { type: "free" }
  /** The owner has read exactly this. */
  | { type: "seen"; source: string }
  /** These arguments are worded anew, from these texts. */
  | { type: "worded"; arguments: string[]; texts: readonly ShownText[] }
  /** What the context holds and the grant does not name. */
  | { type: "asks"; sources: string[] };

/** Pure. */
export function judgeLeaving(
  call: CallFacts,
  context: Pick<CallContext, "label" | "shown" | "seen" | "typed">,
  grant: Grant,
): Leaving {
  const { label, shown, seen } = context;
  if (!label.untrusted || staysWithOwner(call)) return { type: "free" };
  const allowed = new Set(grant.sources);
  const others = label.sources.filter((source) => !allowed.has(source));
  if (others.length === 0) return { type: "free" };
  // The host reads the whole address: one that the owner did not write tells it something.
  if (controlled(call, "url").some(({ value }) => !isGrantedAddress(value, grant)))
    return { type: "asks", sources: others };
  const leaving = leavingArguments(call);
  const texts = leaving.flatMap((name) => textsIn(call.arguments[name]));
  if (texts.length === 0) return { type: "free" };
  const source = texts.map((text) => seenIn(text, seen));
  const [first] = source;
  if (first !== undefined && source.every((each) => each !== undefined))
    return { type: "seen", source: first };
  const worded = leaving.filter((name) => typeof call.arguments[name] === "string");
  // Values that steer are the owner's by now; whatever else is no plain text cannot be worded anew.
  const rest = leaving.filter((name) => call.arguments[name] !== undefined && !worded.includes(name));
  if (rest.length > 0 || worded.length === 0) return { type: "asks", sources: others };
  const seenTexts = seen
    .filter((each) => allowed.has(each.source))
    .map((each) => ({ text: each.text, origin: "session" as const, from: each.source, label }));
  const within = shown.filter(
    (each) =>
      each.origin !== "prompt" &&
      each.origin !== "owner" &&
      each.label.sources.every((name) => allowed.has(name)),
  );
  return { type: "worded", arguments: worded, texts: sourceTexts(within, seenTexts, context.typed) };
}

/**
 * What a writer may be shown: texts of a source. Our own words and failures may say again what a call was told, and that
 * may be anything that its context knew. So may what somebody answers: where strangers had a say in the call, all that
 * it told must stand in what was typed or in such a text before.
 */
function sourceTexts(
  within: readonly ShownText[],
  seen: readonly ShownText[],
  typed: readonly string[],
): ShownText[] {
  const texts = [...seen];
  for (const each of within) {
    const { told, label, origin } = each;
    if (told?.isFailure || (!label.untrusted && label.sources.length === 0)) continue;
    const known = [...typed, ...texts.map(({ text }) => text)];
    const isEcho = told?.isTainted && origin !== "file" && !told.texts.every((text) => stands(text, known));
    if (!isEcho) texts.push(each);
  }
  return texts;
}

/** As a whole word, or several. */
const stands = (text: string, known: readonly string[]): boolean =>
  known.some((each) => wordsOf(each).includes(wordsOf(text)));

const wordsOf = (text: string): string => ` ${(text.match(/[^\s"'<>()[\]{},;|]+/gu) ?? []).join(" ")} `;

/**
 * An account of the owner's, where a tool that says who else would hear of it names nobody: an entry in the calendar
 * without guests.
 */
const staysWithOwner = (call: CallFacts): boolean =>
  Object.values(call.controls).includes("recipient") &&
  !Object.values(call.controls).includes("url") &&
  recipientsOf(call).length === 0;

const isGrantedAddress = (value: string, { hosts }: Grant): boolean =>
  hosts.some((host) => host.includes("://") && sameAddress(host) === sameAddress(value));

/** Arguments whose content leaves; what steers an action leaves with it, but is judged by the grant. */
const leavingArguments = ({ leaves, controls }: CallFacts): string[] =>
  leaves.filter((name) => controls[name] === undefined);

/** The same text as a whole, or whole lines of it in one piece: nothing is left out between them. */
function seenIn(text: string, seen: CallContext["seen"]): string | undefined {
  const lines = linesOf(text);
  if (lines.length === 0) return undefined;
  return seen.findLast((each) => holdsLines(linesOf(each.text), lines))?.source;
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.normalize("NFC").replaceAll(/\s+/gu, " ").trim())
    .filter((line) => line !== "");

const holdsLines = (all: readonly string[], part: readonly string[]): boolean =>
  all.some((_, at) => part.every((line, index) => all[at + index] === line));
