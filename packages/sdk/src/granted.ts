/**
 * What the owner's words granted in a turn, and what was done with it: codes and values, said in the language of
 * whoever reads them. The texts are in `src/infra/texts/granted.ts`.
 */
import { originWords, type ReasonTexts } from "./gate-reason.ts";

export interface GrantedTurnView {
  turnId: string;
  /** When its message came. */
  at: string;
  /**
   * `answered`: what the owner asked for was read. `failed`: it could not be read, `reason` says why. `not-needed`: no
   * call of the turn needed it.
   */
  planner: "answered" | "failed" | "not-needed";
  reason?: string;
  grants: GrantedView[];
  /** Ids of the calls whose text a writer worded anew. */
  worded: string[];
}

export interface GrantedView {
  /** Who says so: the owner's words as a planner read them, a mark (`@bob`), a yes to a request, a standing yes. */
  by: "planner" | "mark" | "card" | "standing";
  /** Of the request or of the standing yes; empty for the others. */
  id: string;
  tool: string;
  /** The owner's words; empty for a yes. */
  quote: string;
  recipients: GrantedRecipient[];
  hosts: string[];
  /** Other values that are fixed, as texts. `from`: read from this source. */
  values: Array<{ name: string; value: string } | { name: string; from: string }>;
  /** The private sources that may be told. */
  sources: string[];
  /** How many calls it covers; left out: any number. */
  count?: number;
  /** Ids of the calls that it covered. */
  uses: string[];
}

export interface GrantedRecipient {
  place: string;
  /** As the owner's contacts call them. */
  name?: string;
}

/** "You asked for: write to Bob, once". Pure. */
export function grantedWords(granted: GrantedView, texts: ReasonTexts): string {
  const { tool, recipients, hosts, values, sources, count, uses, by, quote } = granted;
  const say = (key: string, values?: Record<string, string>) => texts.say(`granted.${key}`, values) ?? key;
  const who = list(recipients.map(({ place, name }) => name ?? texts.quote(place)));
  const where = list(hosts.map((host) => texts.quote(host)));
  const isMessenger = recipients.length > 0 && values.length === 0 && by !== "standing";
  const isRequest = recipients.length === 0 && hosts.length > 0;
  const deed = isMessenger
    ? say("write", { who })
    : isRequest
      ? say("send", { where })
      : recipients.length > 0
        ? say("use-with", { tool, who })
        : say("use", { tool });
  const fixed = values.map((each) =>
    "from" in each
      ? `${each.name}: ${originWords(each.from.replace(":", " "), texts)}`
      : `${each.name}: ${texts.quote(each.value)}`,
  );
  const told = sources.map((source) => originWords(source.replace(":", " "), texts));
  const often =
    count === 1 ? [say("once")] : count === undefined ? [] : [say("times", { count: String(count) })];
  const between = say("between");
  const what = [
    deed,
    ...(fixed.length > 0 ? [list(fixed)] : []),
    ...(told.length > 0 ? [say("telling", { sources: list(told) })] : []),
    ...often,
  ].join(between);
  const words = quote === "" || by === "mark" ? "" : ` ${texts.quote(quote)}`;
  return `${say(`by.${by}`, { what })}${words} (${usedWords(uses.length, say)})`;
}

function usedWords(count: number, say: (key: string, values?: Record<string, string>) => string): string {
  if (count === 0) return say("unused");
  return count === 1 ? say("used-once") : say("used", { count: String(count) });
}

const list = (names: readonly string[]): string => names.join(", ");
