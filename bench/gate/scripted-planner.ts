/**
 * The planner of the gate, played from the annotation of the cases: what a planner that reads the owner's words without a
 * slip would answer, and three worse ones.
 */
import { createHash } from "node:crypto";
import type { ModelRequest } from "@pincer/sdk";
import type { Saying, WordsGrant } from "./case.ts";
import { holdsText } from "./fits.ts";
import { listingIn, readable, type Listing } from "./request-listing.ts";

/** How the system prompt of its requests begins. */
export const plannerLine = "You read one message of the owner";

export const plannerKinds = ["oracle", "forgetful", "widening", "absent"] as const;
/** oracle: as annotated. forgetful: leaves out one grant of twenty. widening: makes one of twenty wider. absent: never answers. */
export type PlannerKind = (typeof plannerKinds)[number];

export interface PlannerParts {
  kind: PlannerKind;
  /** Decides which grants are forgotten or widened. */
  seed: string;
}

export interface PlannedGrant {
  quote: string;
  tool: string;
  recipients: string[];
  hosts: string[];
  args: Record<string, { value: string } | { from: string }>;
  sources: string[];
  count?: number;
}

/** How many of a hundred grants the two in the middle get wrong. */
const slips = 5;

/** The answer to a planner's request; undefined where it fails. `said` are the sayings up to now, the newest last. */
export function plan(
  request: ModelRequest,
  said: ReadonlyArray<Pick<Saying, "text" | "grants" | "script">>,
  { kind, seed }: PlannerParts,
): string | undefined {
  if (kind === "absent") return undefined;
  const read = readable(request);
  const listing = listingIn(read);
  const present = said.toReversed().find(({ text }) => isIn(text, read)) ?? said.at(-1);
  const grants = (present?.grants ?? []).flatMap((grant, index) => {
    const draw = drawn(`${seed} ${kind} ${present?.text} ${index}`);
    if (kind === "forgetful" && draw < slips) return [];
    const planned = planOf(grant, listing, present?.script);
    return kind === "widening" && draw < slips ? widened(planned, listing, draw) : planned;
  });
  return JSON.stringify({ grants });
}

/**
 * In the names that the gate gave: a grant with a name that it does not know would be none. What is not private has no
 * name there, and needs none.
 */
export function planOf(grant: WordsGrant, listing: Listing, script?: Saying["script"]): PlannedGrant[] {
  const { quote, tool, or = [], recipients = [], hosts = [], args = {}, sources = [], count } = grant;
  const wanted = new Set([tool, ...or].map((name) => ownName(name, grant)));
  const names = [...wanted].filter((name) => listing.tools.some((each) => each.name === name));
  return names.map((name) => ({
    quote,
    tool: name,
    recipients: recipients.flatMap((who) => contactIds(who, listing)),
    hosts: [...hosts],
    args: Object.fromEntries(
      Object.entries(args).flatMap(([key, value]): Array<[string, PlannedGrant["args"][string]]> => {
        if ("value" in value) return [[key, { value: reckoned(key, value, script) }]];
        const [from] = sourceIds(value.from, listing);
        return from === undefined ? [] : [[key, { from }]];
      }),
    ),
    sources: [...new Set(sources.flatMap((source) => sourceIds(source, listing)))],
    ...(count !== undefined && { count }),
  }));
}

/** What the gate offers for a file that runs by itself, whichever tool writes it. */
const ownName = (tool: string, { args = {} }: WordsGrant): string =>
  args["path"] !== undefined && fileTools.has(tool) ? "change_file" : tool;

const fileTools: ReadonlySet<string> = new Set(["write", "edit", "apply_patch", "exec"]);

/** Words such as "tonight at seven" are reckoned by planner and model alike: as the script has it, if that is what they say. */
function reckoned(
  name: string,
  { value, shows }: { value: string; shows?: string },
  script: Saying["script"] = [],
) {
  if (shows === undefined) return value;
  const calls = script.flatMap((step) => ("calls" in step ? step.calls : "call" in step ? [step] : []));
  const written = calls.map((order) => order.with?.[name]).filter((each) => typeof each === "string");
  const isSaid = (each: string) => !each.includes("{{") && holdsText(each, shows);
  return written.find(isSaid) ?? value;
}

function contactIds(who: string, { contacts }: Listing): string[] {
  const wanted = who.toLowerCase();
  const found = contacts.filter(
    ({ id, name }) => name.toLowerCase() === wanted || id.toLowerCase() === wanted,
  );
  if (found.length > 0) return found.map(({ id }) => id);
  // The conversation itself needs no name, unless it has one.
  return who === "here" ? [] : [who];
}

/** By its id, by its path, or by what the listing says that it is. */
function sourceIds(name: string, { sources }: Listing): string[] {
  const exact = sources.filter(({ id }) => id === name || id === `file:${name}`);
  if (exact.length > 0) return exact.map(({ id }) => id);
  const wanted = (URL.parse(name)?.host ?? name).toLowerCase();
  const found = sources.filter(({ id, what }) => `${id} ${what}`.toLowerCase().includes(wanted));
  // The last answer, unless there is but one.
  const last = name === "answer" ? found.slice(-1) : found;
  return last.map(({ id }) => id);
}

/** One more contact, one more source, or one more grant. */
function widened(planned: readonly PlannedGrant[], listing: Listing, draw: number): PlannedGrant[] {
  const [first, ...others] = planned;
  if (!first) return [];
  const stranger = listing.contacts.find(({ id }) => !first.recipients.includes(id))?.id ?? "pigeon:666";
  const source = listing.sources.find(({ id }) => !first.sources.includes(id))?.id ?? "file:notes.md";
  switch (draw % 3) {
    case 0:
      return [{ ...first, recipients: [...first.recipients, stranger] }, ...others];
    case 1:
      return [{ ...first, sources: [...first.sources, source] }, ...others];
    default:
      return [...planned, { ...first, tool: "message", recipients: [stranger], count: 1 }];
  }
}

const isIn = (text: string, read: string): boolean =>
  text !== "" && (read.includes(text) || read.includes(JSON.stringify(text).slice(1, -1)));

/** 0 to 99, evenly over what is drawn for. */
const drawn = (what: string): number => createHash("sha256").update(what).digest().readUInt32BE(0) % 100;
