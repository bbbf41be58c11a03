/**
 * Which addresses may be fetched. An address that somebody wrote down is free; one composed from what was read could
 * leak it, and needs approval.
 */
import { addressesIn, hostMatches, registeredOf, sameAddress, spokenAddressesIn } from "./addresses-in.ts";
import type { Finding, TrustFacts } from "./facts.ts";
import { countAlike } from "./count-alike.ts";
import { findValue } from "./find-value.ts";
import { opaqueTokens } from "./secrets-in.ts";
import { isOutside, trustOf, type Span } from "./span.ts";
import { plain, standsAt, tokensOf } from "./words.ts";

export interface UrlQuestion {
  argument: string;
  value: string;
  /** Whether the call only reads. */
  isRead: boolean;
}

interface Surroundings {
  spans: readonly Span[];
  task: readonly string[];
  facts: Pick<TrustFacts, "trustedHosts">;
  /** The addresses that the turn fetched before. */
  asked: readonly string[];
  /** What the model wrote into earlier calls: reading it back makes it no source. */
  ownWords: readonly string[];
}

/** How often a turn may fetch addresses that differ in one or two letters, and composed ones. */
const mostAlike = 3;
const mostComposed = 5;
const mostOfOneHost = 12;

/** Undefined: it may be fetched. Pure. */
export function judgeUrl(around: Surroundings, question: UrlQuestion): Finding | undefined {
  const { spans, task, facts, asked } = around;
  const wanted = sameAddress(question.value);
  const url = URL.parse(question.value);
  // The tool reports invalid addresses itself.
  if (wanted === undefined || !url) return undefined;
  if (task.some((words) => spokenAddressesIn(words).has(wanted))) return undefined;
  const named = isNamedHost(url.hostname, task);
  if (named === "host" || facts.trustedHosts.some((host) => hostMatches(url.hostname, host)))
    return undefined;
  if (!question.isRead) return ask(around, question, "the owner named no such host to send something to");
  const strangers = spans.filter((span) => trustOf(span) === "stranger");
  if (strangers.length === 0) return undefined;

  const others = asked.flatMap((each) => sameAddress(each) ?? []);
  if (spans.some((span) => isOutside(span) && spokenAddressesIn(span.text).has(wanted))) {
    if (
      Math.max(
        countAlike(wanted, others),
        countAlike(withoutHost(wanted), others.filter((each) => isOfOneParty(each, wanted)).map(withoutHost)),
      ) >= mostAlike &&
      !isNextPage(wanted, others)
    )
      return ask(
        around,
        question,
        "one after the other, addresses are asked for that differ in a letter or two",
      );
    const party = registeredOf(url.hostname);
    const ofHost = new Set(others.filter((each) => registeredOf(URL.parse(each)?.hostname ?? "") === party));
    if (ofHost.size >= mostOfOneHost)
      return ask(
        around,
        question,
        `${ofHost.size} addresses of a host that the owner did not name were asked for`,
      );
    return undefined;
  }
  const isPlain = url.search === "" && url.username === "" && opaqueTokens(url.href).length === 0;
  // Output of programs and own tools may be the model's own text.
  const isWritten = spans.some(
    (span) =>
      span.origin !== "program" &&
      span.origin !== "system" &&
      span.origin !== "tool" &&
      addressesIn(span.text).has(wanted),
  );
  if (
    isWritten &&
    opaqueTokens(url.href).length === 0 &&
    url.username === "" &&
    !around.ownWords.some((words) => mentions(unescaped(words), url.hostname))
  )
    return undefined;

  // The owner named the site: fetch what the owner asks for, and reveal nothing else.
  if (named === "label" && revealsLittle(url, task)) return undefined;
  const isStrangers = strangers.some((span) => mentions(span.text, registeredOf(url.hostname)));
  const isOwn =
    isPlain || tokensOf(url.search).every((token) => task.some((words) => tokensOf(words).includes(token)));
  const composed = others.filter((each) => !spans.some((span) => addressesIn(span.text).has(each)));
  if (
    !isStrangers &&
    isOwn &&
    revealsLittle(url, task) &&
    composed.length < mostComposed &&
    url.href.length <= mostLength
  )
    return undefined;
  return ask(around, question, "it was put together, and stands in nothing that was read");
}

/** Consecutive page numbers spell nothing. */
const isNextPage = (wanted: string, others: readonly string[]): boolean =>
  others.some((other) =>
    [...other.matchAll(/\d{1,4}/gu)].some(
      ({ 0: number, index }) =>
        `${other.slice(0, index)}${Number(number) + 1}${other.slice(index + number.length)}` === wanted,
    ),
  );

const mostLength = 200;

const withoutHost = (address: string): string => address.replace(/^https?:\/\/[^/?#]*/u, "");

const isOfOneParty = (one: string, other: string): boolean =>
  registeredOf(URL.parse(one)?.hostname ?? "") === registeredOf(URL.parse(other)?.hostname ?? "");

function unescaped(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const mostForeignChars = 24;

/** Whether the address consists of the owner's words, except for a few letters. */
function revealsLittle(url: URL, task: readonly string[]): boolean {
  const own = new Set(task.flatMap(tokensOf));
  const foreign = (text: string) =>
    tokensOf(unescaped(text).replaceAll("+", " ")).filter((token) => !own.has(token));
  return (
    foreign(url.search).every((token) => token.length < 2) &&
    foreign(url.pathname).join("").length <= mostForeignChars
  );
}

/** By host name, or by what people call the site: "on Wikipedia". */
function isNamedHost(host: string, task: readonly string[]): "host" | "label" | undefined {
  const registered = registeredOf(host);
  const [label = ""] = registered.split(".");
  if (task.some((words) => standsAt(plain(words), host) >= 0 || standsAt(plain(words), registered) >= 0))
    return "host";
  if (label.length < 5 || common.has(label) || !usualEnd.test(registered)) return undefined;
  return task.some((words) => isPlaceIn(words, label)) ? "label" : undefined;
}

/** Where a site that is called by its bare name is found. */
const usualEnd = /\.(?:com|org|net|io|dev|[a-z]{2})$/u;

/** Used as a place: "on Wikipedia", "Wikipedia's page", or capitalised within a sentence. */
function isPlaceIn(words: string, label: string): boolean {
  const name = label.replaceAll(/[^a-z0-9]/gu, "");
  const visited = new RegExp(
    `(?:\\b(?:on|at|from|via|using|visit|open|check|ask|search|bei|auf|von|sur|chez|en)\\s+|[在从上去查看])\\s*${name}(?![\\p{L}\\p{N}])`,
    "iu",
  );
  if (visited.test(words)) return true;
  const capitals = words.match(/(?<=[\p{Ll},]\s)\p{Lu}[\p{L}\p{N}]*/gu) ?? [];
  return capitals.some((word) => word.toLowerCase() === name);
}

/** Too common to be the name of a site. */
const common = new Set([
  "search",
  "online",
  "store",
  "market",
  "weather",
  "travel",
  "email",
  "cloud",
  "secure",
  "support",
  "account",
  "login",
  "files",
  "share",
  "website",
  "review",
  "reviews",
  "price",
  "prices",
  "today",
]);

const mentions = (text: string, host: string): boolean => plain(text).includes(host.toLowerCase());

function ask({ spans }: Surroundings, { argument, value }: UrlQuestion, why: string): Finding {
  const host = URL.parse(value)?.hostname ?? value;
  return {
    verdict: "ask",
    check: "url",
    reason: `${value.length > 120 ? `${value.slice(0, 120)}…` : value}: ${why}`,
    cause: { argument, value, ...findValue(spans, host) },
  };
}
