/**
 * Rule 3: which addresses may be read. Whoever serves an address learns that it was asked for, so from a context that
 * strangers wrote in and that holds something private, an address may be asked for only if somebody else wrote it down:
 * the owner in the present message, or an outside text, where choosing one of many says a counted number of bits.
 */
import { canonicalAddress, isInTheWorld } from "../../sandbox/egress/address-class.ts";
import type { CallContext, ShownText } from "../call-context.ts";
import { controlled, textsIn, type CallFacts } from "../call-facts.ts";
import {
  addressesIn,
  addressOf,
  hostMatches,
  isInsideName,
  sameAddress,
  spokenAddressesIn,
} from "./addresses-in.ts";

export interface AddressQuestion {
  url: string;
  /** Nothing but a GET or a HEAD, with headers that only say which answer is wanted. */
  isRead: boolean;
  /** A GET with our own headers: the caller chose nothing but the address. */
  isBare: boolean;
  /** `tools.web.trusted`: these hosts hear whatever they are asked. */
  trusted: readonly string[];
  /** Whether a scout could read it instead. */
  hasScout: boolean;
  /** All that the model called before in what it is shown: what it wrote itself is no outside text. */
  calls: ReadonlyArray<Pick<CallFacts, "controls" | "arguments">>;
}

export type AddressContext = Pick<CallContext, "label" | "shown" | "typed">;

export type AddressReason = {
  [Code in AddressCode]: { code: Code; values: { url: string; host: string } };
}[AddressCode];

type AddressCode =
  /** Put together by the model, or in a spelling that stands in no text. */
  | "address-composed"
  /** It stands in a mail, a file or what a program said: whoever wrote it there may have chosen it. */
  | "address-of-inside"
  /** Composed, where a scout can read it. */
  | "address-for-scout"
  /** Headers or a method that the model chose go along. */
  | "address-with-headers"
  /** Of this machine or its network, where strangers' texts were read. */
  | "address-inside"
  /** More than reading. */
  | "address-sends"
  /** No address of the web, where strangers' texts were read. */
  | "address-unreadable";

export type AddressVerdict =
  | { type: "free" }
  /** What asking for it says; it is counted before it is asked for. */
  | { type: "bits"; bits: number }
  | { type: "asks"; reason: AddressReason }
  /** Nobody is asked, because a scout can do it. */
  | { type: "denied"; reason: AddressReason };

/** What the moment of a request says. */
const bitsOfMoment = 3;

/** The tool that sends a scout. */
export const scoutTool = "research";

/** From a tainted, private context a scout goes without a brief; that and when it goes says this much. */
export const bitsOfScout = 4;

/** Pure. */
export function judgeAddress(context: AddressContext, question: AddressQuestion): AddressVerdict {
  const { url, isRead, isBare, trusted, hasScout } = question;
  if (!isRead) return asks("address-sends", url);
  if (!context.label.untrusted) return { type: "free" };
  const wanted = addressOf(url);
  const place = URL.parse(url);
  if (wanted === undefined || !place) return asks("address-unreadable", url);
  if (trusted.some((host) => isTrusted(place, host))) return { type: "free" };
  const isTyped = isTypedIn(context, wanted);
  // Once a task: how often it is asked for again says something. What is inside tells no stranger.
  const isFirst = !wasAskedFor(wanted, question.calls);
  if (isTyped && isBare && (isFirst || isInside(place))) return { type: "free" };
  if (isInside(place)) return asks("address-inside", url);
  if (!holdsPrivate(context)) return { type: "free" };

  const refused = (code: AddressCode): AddressVerdict =>
    hasScout ? { type: "denied", reason: reasonFor("address-for-scout", url) } : asks(code, url);
  const outside = outsideAddresses(context.shown);
  const isKnown = isTyped || (outside.has(wanted) && !isOwnText(wanted, question.calls));
  // A scout would not know it.
  if (!isKnown && isWritten(wanted, context.shown)) return asks("address-of-inside", url);
  if (!isKnown) return refused("address-composed");
  if (!isBare) return refused("address-with-headers");
  return { type: "bits", bits: bitsOfChoice(outside.size) };
}

/** In whatever text it is shown. */
const isWritten = (wanted: string, shown: readonly ShownText[]): boolean =>
  shown.some(({ text }) => addressesIn(text).has(wanted));

/** Whether the context holds anything that an address could tell a stranger. Pure. */
export const holdsPrivate = ({ label }: Pick<CallContext, "label">): boolean => label.sources.length > 0;

/** What one request says from a context with so many addresses in it. */
const bitsOfChoice = (addresses: number): number =>
  Math.max(1, Math.ceil(Math.log2(Math.max(1, addresses)))) + bitsOfMoment;

/**
 * Whether an answer may show it so that it can be followed: only what says nothing, and once strangers' texts were
 * read, nothing composed, since what was said in the conversation itself could be in it. Pure.
 */
export function mayShow(context: AddressContext, url: string, trusted: readonly string[]): boolean {
  if (isNameOfKnown(url, context.shown)) return true;
  const question = { url, isRead: true, isBare: true, trusted, hasScout: false, calls: [] };
  if (judgeAddress(context, question).type !== "free") return false;
  const { untrusted, sources } = context.label;
  if (!untrusted) return true;
  const holding = { ...context, label: { untrusted, sources: [...sources, "session"] } };
  return judgeAddress(holding, question).type !== "asks";
}

/** The front page of a host that others wrote down: its name says no more than which of those hosts is meant. */
function isNameOfKnown(url: string, shown: readonly ShownText[]): boolean {
  const place = URL.parse(url);
  if (!place || place.username !== "" || place.href !== `${place.origin}/` || isInside(place)) return false;
  return [...outsideAddresses(shown)].some((known) => URL.parse(known)?.host === place.host);
}

function isTrusted(url: URL, pattern: string): boolean {
  const isUsualPort = url.port === "" || pattern.endsWith(`:${url.port}`);
  return isUsualPort && hostMatches(url.hostname, pattern);
}

/** People leave out the last slash, and models add it. */
const isTypedIn = ({ typed }: AddressContext, wanted: string): boolean =>
  typed.some((words) =>
    [...spokenAddressesIn(words)].some((each) => sameAddress(each) === sameAddress(wanted)),
  );

const outside: ReadonlySet<ShownText["origin"]> = new Set(["web", "peer", "group", "quoted"]);

/** All addresses of the texts that came from outside: the model can have written none of them. */
function outsideAddresses(shown: readonly ShownText[]): Set<string> {
  const known = found.get(shown);
  if (known) return known;
  const addresses = new Set(
    shown.filter(({ origin }) => outside.has(origin)).flatMap(({ text }) => [...addressesIn(text)]),
  );
  found.set(shown, addresses);
  return addresses;
}

/** An answer may hold many addresses, each judged by the same texts. */
const found = new WeakMap<readonly ShownText[], Set<string>>();

const wasAskedFor = (wanted: string, calls: AddressQuestion["calls"]): boolean =>
  calls.some((call) => controlled(call, "url").some(({ value }) => addressOf(value) === wanted));

/** A server may give back what it was told: an address that the model wrote into another call is its own. */
function isOwnText(wanted: string, calls: AddressQuestion["calls"]): boolean {
  const bare = plain(wanted.replace(/^https?:\/\//u, "").replace(/\/$/u, ""));
  return calls
    .flatMap((call) => textsIn(call.arguments))
    .some((text) => addressOf(text) !== wanted && plain(text).includes(bare));
}

/** Without the escapes of addresses, and in one case. */
const plain = (text: string): string =>
  text
    .replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toLowerCase();

function isInside({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/u, "$1");
  const literal = canonicalAddress(host);
  return literal === undefined ? isInsideName(host) : !isInTheWorld(literal, []);
}

const asks = (code: AddressCode, url: string): AddressVerdict => ({
  type: "asks",
  reason: reasonFor(code, url),
});

const reasonFor = (code: AddressCode, url: string): AddressReason => ({
  code,
  values: { url: url.length > 200 ? `${url.slice(0, 200)}…` : url, host: URL.parse(url)?.host ?? "" },
});
