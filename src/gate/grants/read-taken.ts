/**
 * Takes the values of a call from the source that a grant names. A reader without tools sees the owner's words and the
 * texts of that source; the model that acts has no say in what it finds. Whoever wrote the source can mislead it about
 * the value, as they could mislead the owner; nobody else can.
 */
import type { ControlKind, ReadAnswer, ReadRequest } from "@pincer/sdk";
import { Type } from "typebox";
import type { CallContext } from "../call-context.ts";
import { isSameValue, type TakenValue } from "./covers.ts";

export interface ReadTakenParts {
  read(request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer>;
  /** The date and time where the owner is. */
  now: string;
}

export interface TakingQuestion {
  tool: string;
  typed: readonly string[];
  taken: ReadonlyArray<TakenValue & { kind: ControlKind; texts: readonly string[] }>;
}

export type Taken = { type: "read"; values: Record<string, string> } | { type: "failed"; reason: string };

/** What the context shows of one source: a page, an answer that the owner saw, or texts that hold nothing else. Pure. */
export function textsOfSource(
  source: string,
  { shown, seen, pages }: Pick<CallContext, "shown" | "seen" | "pages">,
): string[] {
  const ofSource = [...seen, ...pages].filter((each) => each.source === source).map(({ text }) => text);
  const alone = shown.filter(
    ({ origin, label: { sources } }) =>
      origin !== "owner" && origin !== "prompt" && sources.length === 1 && sources[0] === source,
  );
  return [...ofSource, ...alone.map(({ text }) => text)];
}

/** Rejects with the signal's reason when it aborts; whatever else goes wrong is told. */
export async function readTaken(
  { read, now }: ReadTakenParts,
  { tool, typed, taken }: TakingQuestion,
  signal: AbortSignal,
): Promise<Taken> {
  const values: Record<string, string> = {};
  for (const { argument, value, kind, source, texts } of taken) {
    if (texts.length === 0) return { type: "failed", reason: `nothing of ${source} was read` };
    const description = `${argument} of ${tool}, as the question wants it: each value once. ${forms[kind === "schedule" ? "schedule" : "value"]}`;
    const fields = Type.Object({
      [argument]: Type.Array(Type.String({ maxLength: longestValue }), { description }),
    });
    const text = texts.join("\n\n");
    const question = `It is ${now}. The owner says: ${typed.join(" ")}`;
    const answer = await read({ text, origin: "tool", from: source, question, fields }, signal);
    if (answer.type === "unread") return { type: "failed", reason: answer.reason };
    const found = [answer.fields[argument] ?? []].flat().map(String);
    const known = found.filter((each) => isClosed(each, kind, texts));
    const [first] = known;
    if (first === undefined) return { type: "failed", reason: `${source} says no ${argument}` };
    // The model that acts must not choose among several.
    if (known.some((each) => !isSameValue(each, first)))
      return { type: "failed", reason: `${source} says more than one ${argument}` };
    if (!isSameValue(first, value)) values[argument] = first;
  }
  return { type: "read", values };
}

const longestValue = 100;

const forms = {
  schedule: "A date as YYYY-MM-DD, or with its time as YYYY-MM-DDTHH:MM.",
  value: "A number in digits, a date as YYYY-MM-DD, or a name exactly as it stands in the text.",
};

/** A date, a number of up to 15 digits, or, where no date is wanted, a name that stands there as it is. */
function isClosed(value: string, kind: ControlKind, texts: readonly string[]): boolean {
  if (/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?$/u.test(value)) return true;
  if (kind === "schedule") return false;
  if (/^-?\d{1,15}$/u.test(value) || /^-?(?=[\d.]{3,16}$)\d+\.\d+$/u.test(value)) return true;
  return value.trim() !== "" && texts.some((text) => text.includes(value));
}
