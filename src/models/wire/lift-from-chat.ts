/**
 * Chat completions, and what servers make of them. The calls go on under numbers and ids of ours: the library would take two calls with
 * the same number, or the same id, for one.
 */
import type { ArgumentBuffer, ShelvedArguments } from "./argument-buffer.ts";
import { lifted, nothingElse, textOf, type Lifted } from "./lifted.ts";

interface ChatCall {
  index?: number | null;
  id?: string | null;
  function?: { name?: string; arguments?: unknown } | null;
  custom?: unknown;
}

type ChatDelta = Record<string, unknown> & { content?: unknown; tool_calls?: ChatCall[] | null };

interface ChatChoice {
  finish_reason?: string | null;
  usage?: unknown;
  delta?: ChatDelta;
}

interface ChatEvent {
  usage?: unknown;
  choices?: ChatChoice[];
}

interface ChatPlace {
  place: ShelvedArguments;
  /** What the library knows it by. */
  number: number;
  isNumbered: boolean;
  /** As the server named it. */
  id: string;
  name: string;
  /** Another call has this id already; the library is not told it. */
  isIdTaken: boolean;
}

export function liftFromChat(shelf: ArgumentBuffer): (event: unknown) => Lifted {
  const placeOf = createPlaces(shelf);

  /** Puts the piece into the buffer; answers whether the call still says something to the library. */
  function liftCall(found: ChatPlace, call: ChatCall, said: Said): boolean {
    const isNews =
      !found.place.isAnnounced ||
      (said.id !== "" && found.id === "") ||
      (said.name !== "" && found.name === "");
    found.id ||= said.id;
    found.name ||= said.name;
    call.index = found.number;
    call.id = found.isIdTaken ? "" : found.id;
    call.function = { ...call.function, arguments: lifted(found.place, said.piece) };
    return isNews;
  }

  return (event) => {
    const { usage, choices } = event as ChatEvent;
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    const thoughts = withPlainContent(choice);
    const calls = choice?.delta?.tool_calls;
    if (!Array.isArray(calls) || calls.length === 0 || !calls.every((call) => call && !call.custom))
      return thoughts === undefined ? "keep" : [...thoughtsBefore(event, thoughts), { value: event }];
    let saysMore = Boolean(usage) || Boolean(choice?.finish_reason) || Boolean(choice?.usage);
    let last: ChatPlace | undefined;
    let isNamed = false;
    for (const call of calls) {
      const said = saidIn(call);
      isNamed ||= said.name !== "";
      last = placeOf(call, said);
      if (liftCall(last, call, said)) saysMore = true;
    }
    saysMore ||= Object.entries(choice?.delta ?? {}).some(([key, value]) => saysSomething(key, value));
    if (saysMore) return [...thoughtsBefore(event, thoughts ?? ""), { value: event }];
    // What follows a name may belong to another call, so such events are looked at one by one.
    return last && calls.length === 1 && !isNamed ? nothingElse(last.place) : "drop";
  };
}

interface Said {
  id: string;
  name: string;
  piece: string;
}

const saidIn = ({ id, function: called }: ChatCall): Said => ({
  // Some servers write that there is none.
  id: id && id !== "null" ? id : "",
  name: called?.name ?? "",
  piece: textOf(called?.arguments),
});

/** Finds the call that a piece belongs to: by number, else by id, else the one that came last. */
function createPlaces(shelf: ArgumentBuffer): (call: ChatCall, said: Said) => ChatPlace {
  const byIndex = new Map<number, ChatPlace>();
  const byId = new Map<string, ChatPlace>();
  let last: ChatPlace | undefined;
  let count = 0;

  function known(index: number | undefined, { id }: Said): ChatPlace | undefined {
    if (index === undefined) return id === "" ? last : byId.get(id);
    const withId = byId.get(id);
    return byIndex.get(index) ?? (withId?.isNumbered ? undefined : withId);
  }

  return ({ index: given }, said) => {
    const index = typeof given === "number" ? given : undefined;
    let found = known(index, said);
    if (!found || isAnother(found, said)) {
      const place = shelf.open();
      found = { place, number: count++, isNumbered: false, id: "", name: "", isIdTaken: byId.has(said.id) };
    }
    if (index !== undefined) {
      byIndex.set(index, found);
      found.isNumbered = true;
    }
    if (said.id !== "" && !found.isIdTaken) byId.set(said.id, found);
    last = found;
    return found;
  };
}

/**
 * Whether a piece begins another call although it has the number of one that is known: some servers number all calls with 0. Only
 * beginnings have a name; an id alone says nothing, because others make up a new one for each piece.
 */
function isAnother(found: ChatPlace, { id, name, piece }: Said): boolean {
  if (name === "" || found.name === "" || (id !== "" && id === found.id)) return false;
  if (id !== "" && found.id !== "") return true;
  return name !== found.name || (piece !== "" && isWhole(found.place.text()));
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // More is to come.
    return false;
  }
}

const saysSomething = (key: string, value: unknown): boolean =>
  key !== "tool_calls" && key !== "role" && Boolean(value) && !(Array.isArray(value) && value.length === 0);

/** Some servers send words as a list of parts, where the library expects a text. Answers the thoughts among them; undefined: no list. */
function withPlainContent(choice: ChatChoice | undefined): string | undefined {
  const { delta } = choice ?? {};
  if (!delta || !Array.isArray(delta.content)) return undefined;
  const parts: unknown[] = delta.content;
  delta.content = parts.map((part) => wordsIn(part, "text")).join("");
  return parts.map((part) => wordsIn(part, "thinking")).join("");
}

function wordsIn(part: unknown, wanted: "text" | "thinking"): string {
  if (typeof part === "string") return wanted === "text" ? part : "";
  if (typeof part !== "object" || part === null) return "";
  const thinking: unknown = Reflect.get(part, "thinking");
  const said: unknown = wanted === "text" ? Reflect.get(part, "text") : thinking;
  if (Array.isArray(said)) return said.map((inner) => wordsIn(inner, "text")).join("");
  return typeof said === "string" ? said : "";
}

/** An event of their own: the library reads words first. */
function thoughtsBefore(event: unknown, thoughts: string): Array<{ value: unknown }> {
  if (thoughts === "") return [];
  const { choices: _choices, usage: _usage, ...rest } = event as ChatEvent;
  return [{ value: { ...rest, choices: [{ index: 0, delta: { reasoning_content: thoughts } }] } }];
}
