/** What the planner is shown of a turn: the owner's words, and ids of ours for people, tools and private sources. */
import type { Tool } from "@pincer/sdk";
import { firstPart } from "../../infra/cut-text.ts";
import { oneLine } from "../../infra/one-line.ts";
import type { CallContext } from "../call-context.ts";
import { pageSource, spokenAddressesIn } from "../leaving/addresses-in.ts";
import { accountOf } from "../labels/entry-label.ts";
import { changeFileTool } from "../steering/judge-write.ts";
import { answerTool } from "./turn-grants.ts";
import type { PlannerInput, PlannerSource, PlannerTool } from "./planner.ts";

export interface PlanInputParts {
  /** The present message as the planner reads it, and what its pasted pieces stand for. */
  words: Pick<PlannerInput, "message" | "pasted">;
  context: Pick<CallContext, "seen" | "shown" | "isGroup">;
  /** Earlier words of the owner and answers written untainted, oldest first. */
  earlier: readonly string[];
  contacts: Readonly<Record<string, readonly string[]>>;
  tools: readonly Tool[];
  /** Files of the workdir that the message names, with or without their ending. */
  files: readonly string[];
  now: string;
}

const mostContacts = 40;
const mostToolWords = 60;

/** Pure. */
export function planInput(parts: PlanInputParts): PlannerInput {
  const { words, context, earlier, contacts, tools, now } = parts;
  const named = Object.entries(contacts);
  const isMentioned = ([name]: [string, unknown]) => words.message.toLowerCase().includes(name.toLowerCase());
  const shown = [...named.filter(isMentioned), ...named.filter((each) => !isMentioned(each))].slice(
    0,
    mostContacts,
  );
  return {
    ...words,
    earlier,
    contacts: shown.map(([name, places], index) => ({ id: `c${index + 1}`, name, places })),
    tools: [...tools.filter(isAsked).map(toolOf), ...(context.isGroup ? [answerTool] : []), changeFileTool],
    sources: sourcesOf(parts).map((source, index) => ({ id: `s${index + 1}`, ...source })),
    now,
  };
}

/** Only what needs a grant. */
const isAsked = ({ effect, controls, leaves }: Tool): boolean =>
  effect === "act" &&
  (leaves.length > 0 || Object.values(controls).some((kind) => kind !== "path" && kind !== "program"));

const toolOf = ({ name, description, controls }: Tool): PlannerTool => ({
  name,
  what: firstPart(oneLine(description.split(/[.\n]/u, 1)[0] ?? ""), mostToolWords),
  args: Object.entries(controls).flatMap(([argument, kind]) =>
    kind === "value" || kind === "schedule" ? [argument] : [],
  ),
});

/** What the message may want told or used: pages and files that it names, the last answer, accounts, memory. */
function sourcesOf({ words, files, context, tools }: PlanInputParts): Array<Omit<PlannerSource, "id">> {
  const last = context.seen.at(-1);
  const accounts = [
    ...new Set(
      tools
        .filter(({ effect, resultOrigin }) => effect === "read" && resultOrigin === "tool")
        .map(({ name }) => accountOf(name)),
    ),
  ];
  return [
    ...pagesNamed(words.message).map(({ address, source }) => ({ what: `page ${address}`, source })),
    ...files.map((path) => ({ what: `file ${path}`, source: `file:${path}` })),
    ...(last ? [{ what: "your last answer", source: last.source }] : []),
    ...accounts.map((account) => ({ what: `what ${account} tools show`, source: `tool:${account}` })),
    { what: "memory", source: "memory" },
    { what: "what the owner wrote about themselves", source: "user" },
    { what: "any file of the workdir", source: "workdir" },
  ];
}

/** One for each, however it may be spelled. */
function pagesNamed(message: string): Array<{ address: string; source: string }> {
  const named = new Map(
    [...spokenAddressesIn(message)].flatMap((address) => {
      const source = pageSource(address);
      return source === undefined ? [] : [[source, { address, source }] as const];
    }),
  );
  return [...named.values()].slice(0, mostPages);
}

const mostPages = 5;
