/**
 * Asks a model what the owner's present message asks for, before the first effect that nothing else covers. The model
 * has no tools and sees nothing that a stranger wrote: the owner's words and ids that our code gives. What it answers
 * is checked name by name, so a wrong answer grants at most what the owner's own message names.
 */
import { textOf, type AssistantMessage } from "@pincer/sdk";
import { Type, type Static } from "typebox";
import { Check } from "typebox/value";
import type { Grant, GrantedValue } from "./grant.ts";

/** Everything that the planner sees, fixed when the message was accepted. */
export interface PlannerInput {
  /** What the owner typed, with pastes named by their kind: `[pasted address 1]`. */
  message: string;
  /** What the pasted pieces stand for. */
  pasted: Readonly<Record<string, string>>;
  /** Earlier words of the owner and answers that were written untainted; for reference only. */
  earlier: readonly string[];
  contacts: readonly PlannerContact[];
  tools: readonly PlannerTool[];
  sources: readonly PlannerSource[];
  /** The date and time where the owner is, with the day of the week. */
  now: string;
}

export interface PlannerContact {
  id: string;
  name: string;
  places: readonly string[];
}

export interface PlannerTool {
  name: string;
  /** What it does, in a few words of ours or of the owner's config. */
  what: string;
  /** The arguments that steer it, besides recipients and addresses. */
  args: readonly string[];
}

/** Something private that may be told: a file that the message names, an account, the last answer. */
export interface PlannerSource {
  id: string;
  what: string;
  /** As labels name it. */
  source: string;
}

export type Plan =
  | { type: "planned"; grants: Grant[] }
  /** No model answered, or nothing usable; kept like an answer. */
  | { type: "failed"; reason: string };

export interface PlannerParts {
  /** Without tools. */
  ask(
    ask: {
      systemPrompt: string;
      messages: Array<{ role: "user"; content: [{ type: "text"; text: string }] }>;
    },
    signal: AbortSignal,
  ): Promise<AssistantMessage>;
}

/** Rejects with the signal's reason when it aborts; whatever else goes wrong is a failed plan. */
export async function planGrants(
  { ask }: PlannerParts,
  input: PlannerInput,
  signal: AbortSignal,
): Promise<Plan> {
  let answer: AssistantMessage;
  try {
    const text = plannerRequest(input);
    answer = await ask(
      { systemPrompt: plannerPrompt, messages: [{ role: "user", content: [{ type: "text", text }] }] },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    return { type: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
  signal.throwIfAborted();
  if (answer.stopReason === "error" || answer.stopReason === "aborted")
    return { type: "failed", reason: answer.errorMessage ?? "no model answered" };
  return readPlan(textOf(answer), input);
}

export const plannerPrompt = [
  "You read one message of the owner of an assistant and list what it asks the assistant to do to others or outside: messages, mails, requests, entries, payments.",
  'Answer with one JSON object and nothing else: {"grants":[{"quote","tool","recipients","hosts","args","sources","count"}]}.',
  "quote: the words of `message` that ask for it, copied exactly. tool: a name of `tools`.",
  "recipients: ids of `contacts`, or addresses and ids exactly as they stand in `message`. hosts: host names or addresses exactly as they stand in `message`.",
  'args: values that the message fixes, {"name":{"value":…}}, dates as YYYY-MM-DDTHH:MM reckoned from `now`; {"name":{"from":id}} for a value that the message wants taken from one of `sources`.',
  "sources: ids of `sources` whose content the message wants told to the recipient. count: how many times, usually 1.",
  "`earlier` only says what the message refers to; it asks for nothing by itself. A yes to an offer in `earlier` asks for what was offered.",
  'Leave out whatever the message does not ask for. A message that only asks a question, or tells something, asks for nothing: {"grants":[]}.',
].join("\n");

const mostEarlierChars = 600;

/** The same input gives the same bytes. Pure. */
export function plannerRequest({ message, earlier, contacts, tools, sources, now }: PlannerInput): string {
  return JSON.stringify({
    message,
    ...(earlier.length > 0 && { earlier: lastOf(earlier, mostEarlierChars) }),
    ...(contacts.length > 0 && { contacts: contacts.map(({ id, name }) => ({ id, name })) }),
    tools: tools.map(({ name, what, args }) => ({ name, what, ...(args.length > 0 && { args }) })),
    ...(sources.length > 0 && { sources: sources.map(({ id, what }) => ({ id, what })) }),
    now,
  });
}

function lastOf(texts: readonly string[], most: number): string[] {
  const kept: string[] = [];
  let left = most;
  for (const text of texts.toReversed()) {
    if (left <= 0) break;
    const part = text.length > left ? `…${text.slice(-left)}` : text;
    kept.unshift(part);
    left -= part.length;
  }
  return kept;
}

const text = Type.String({ maxLength: 500 });
const texts = Type.Optional(Type.Array(text, { maxItems: 20 }));
const Answer = Type.Object({
  grants: Type.Array(
    Type.Object({
      quote: text,
      tool: text,
      recipients: texts,
      hosts: texts,
      args: Type.Optional(
        Type.Record(
          Type.String({ maxLength: 60 }),
          Type.Union([
            Type.Object({ value: Type.Union([text, Type.Number(), Type.Boolean()]) }),
            Type.Object({ from: text }),
          ]),
        ),
      ),
      sources: texts,
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    }),
    { maxItems: 10 },
  ),
});
type PlannedGrant = Static<typeof Answer>["grants"][number];

/** What an answer grants: each grant whose quote and names all check, and no other. Pure. */
export function readPlan(answer: string, input: PlannerInput): Plan {
  const [, fenced] = /^```(?:json)?\s*\n([^]*)\n\s*```$/u.exec(answer.trim()) ?? [];
  const parsed = parse(fenced ?? answer.trim());
  if (!Check(Answer, parsed)) return { type: "failed", reason: "the planner's answer does not fit its form" };
  return { type: "planned", grants: parsed.grants.flatMap((grant) => checked(grant, input) ?? []) };
}

function parse(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    // Told like anything else that does not fit.
    return undefined;
  }
}

function checked(planned: PlannedGrant, input: PlannerInput): Grant | undefined {
  const { quote, tool, recipients = [], hosts = [], args = {}, sources = [], count = 1 } = planned;
  const words = squeezed(input.message);
  if (squeezed(quote) === "" || !words.includes(squeezed(quote))) return undefined;
  if (!input.tools.some(({ name }) => name === tool)) return undefined;
  const places = allOf(recipients, (each) => placesOf(each, input));
  const named = allOf(hosts, (each) => hostOf(each, input));
  const known = allOf(sources, (id) => sourceOf(id, input));
  const values = valuesOf(args, input);
  if (!places || !named || !known || !values) return undefined;
  return {
    by: "planner",
    id: "",
    tool,
    quote,
    recipients: [...new Set(places)],
    hosts: [...new Set(named)],
    args: values,
    sources: [...new Set(known)],
    count,
  };
}

/** Undefined where one of them means nothing: a grant with half of its names is none. */
function allOf(names: readonly string[], meaning: (name: string) => readonly string[] | undefined) {
  const found = names.map(meaning);
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}

function placesOf(name: string, input: PlannerInput): readonly string[] | undefined {
  const contact = input.contacts.find(({ id }) => id === name);
  if (contact) return contact.places;
  const pasted = pastedBy(name, input);
  if (pasted !== undefined) return [pasted];
  return isTelling(name) && standsWhole(input.message, name) ? [name] : undefined;
}

/** As it stands in the message: a host with a dot in it, or a whole address. */
function hostOf(name: string, input: PlannerInput): readonly string[] | undefined {
  const written = pastedBy(name, input) ?? (standsWhole(input.message, name) ? name : undefined);
  if (written === undefined) return undefined;
  const url = URL.parse(/^https?:\/\//iu.test(written) ? written : `http://${written}`);
  // An e-mail address is no host, whatever a browser makes of it.
  if (!url || !url.hostname.includes(".") || url.username !== "" || url.password !== "") return undefined;
  if (written.includes("://")) return [written];
  return url.pathname === "/" && url.search === "" ? [url.host] : undefined;
}

const sourceOf = (id: string, { sources }: PlannerInput): readonly string[] | undefined => {
  const known = sources.find((source) => source.id === id);
  return known && [known.source];
};

function valuesOf(args: NonNullable<PlannedGrant["args"]>, input: PlannerInput) {
  const values: Record<string, GrantedValue> = {};
  for (const [name, given] of Object.entries(args)) {
    if ("value" in given) {
      const pasted = typeof given.value === "string" ? pastedBy(given.value, input) : undefined;
      values[name] = { value: pasted ?? given.value };
      continue;
    }
    const [source] = sourceOf(given.from, input) ?? [];
    if (source === undefined) return undefined;
    values[name] = { from: source };
  }
  return values;
}

const pastedBy = (name: string, { pasted }: PlannerInput): string | undefined =>
  Object.hasOwn(pasted, name) ? pasted[name] : undefined;

/** A few letters or digits occur in many sentences and identify nobody. */
const isTelling = (value: string): boolean => value.length >= 3 && !/^\d{1,5}$/u.test(value);

/** Between characters that do not belong to such a name. */
function standsWhole(message: string, name: string): boolean {
  const inside = /[\p{L}\p{N}_@/.:+-]/u;
  for (let at = message.indexOf(name); at >= 0; at = message.indexOf(name, at + 1)) {
    const before = message[at - 1] ?? " ";
    const after = message.slice(at + name.length).replace(/^[.:]+(?=\s|$)/u, "")[0] ?? " ";
    if (!inside.test(before) && !inside.test(after)) return true;
  }
  return false;
}

const squeezed = (words: string): string =>
  words.normalize("NFC").replaceAll(/\s+/gu, " ").trim().toLowerCase();
