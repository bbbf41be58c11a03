/**
 * `/why`: what the gate denied or asked about last in this session, which rule decided, and which sentence caused it;
 * and what the owner's words asked for in the last turn.
 */
import { GateReason, type Entry, type GrantedTurnView } from "@pincer/sdk";
import { Check } from "typebox/value";
import { sayCause } from "../gate/approvals/approval-words.ts";
import { quotedLine } from "../gate/approvals/quoted-line.ts";
import { sayGranted, sayReasons } from "../infra/gate-reasons.ts";
import type { Say } from "../infra/texts.ts";
import type { EntryStore, SessionRecord } from "../storage/stores.ts";
import { answered, placeOfCall, type Command, type CommandCall, type CommandPlace } from "./command.ts";

/** The name of the entry in which the gate keeps what it refused and asked about. */
const gateEvent = "gate";
const newest = 1000;

export interface WhyCommandParts {
  say: Say;
  findActive(workspaceId: string, sessionKey: string): Promise<SessionRecord | undefined>;
  entries: Pick<EntryStore, "recent">;
  /** What the owner's words granted in the last turn of a session, if there is one. */
  granted(sessionKey: string): Promise<GrantedTurnView | undefined>;
}

export const whyCommand: Command<WhyCommandParts> = {
  name: "why",
  aliases: [],
  group: "gate",
  usage: "[tool]",
  help: "command.about.why",
  access: "anyone",
  arguments: [{ name: "tool" }],
  run: async (parts, call) => answered(await why(parts, call)),
};

async function why(parts: WhyCommandParts, { words, context }: CommandCall): Promise<string> {
  const { say } = parts;
  const { workspaceId, sessionKey } = context.session;
  const tool = /^(?:last|最近)?$/i.test(words) ? undefined : words.split(/\s+/)[0];
  const active = await parts.findActive(workspaceId, sessionKey);
  const entries = active ? await parts.entries.recent(active.sessionId, newest) : [];
  const found = entries.flatMap(readGate).findLast((each) => tool === undefined || each.tool === tool);
  const { role, isGroup } = placeOfCall(context);
  if (role !== "owner" || isGroup) return found ? briefly(found, role, say) : nothingWords(tool, say);
  const asked = tool === undefined ? await parts.granted(sessionKey) : undefined;
  return [
    found ? whyWords(found, say) : nothingWords(tool, say),
    ...(asked ? sayGranted(asked, say, quotedLine) : []),
  ].join("\n");
}

const nothingWords = (tool: string | undefined, say: Say): string =>
  tool === undefined ? say("command.why.nothing") : say("command.why.nothing-of", { tool });

interface GateEntry {
  tool: string;
  verdict: string;
  reason: string;
  reasons: GateReason[];
  layer: string;
  source: string;
  cause?: { argument: string; value: string; from: string; sentence: string };
}

function whyWords(entry: GateEntry, say: Say): string {
  const { tool, verdict, layer, source, cause } = entry;
  const reason = sayReasons(entry, say, quotedLine);
  const lines = [
    say(verdict === "ask" ? "command.why.asked" : "command.why.denied", { tool, reason }),
    say("command.why.rule", { source, layer }),
  ];
  return cause ? [...lines, sayCause(cause, say)].join("\n") : lines.join("\n");
}

/** Rules and where a value comes from are the owner's to know, alone: a sentence may be out of the owner's own mail. */
function briefly({ tool, verdict }: GateEntry, role: CommandPlace["role"], say: Say): string {
  const told = say(verdict === "ask" ? "command.why.asked.peer" : "command.why.denied.peer", { tool });
  return role === "owner" ? `${told} ${say("command.not-in-group")}` : told;
}

/** An entry as it lies on the disk; what it does not say is left out. */
function readGate(entry: Entry): GateEntry[] {
  if (entry.type !== "event" || entry.name !== gateEvent) return [];
  const { data } = entry;
  const word = (name: string): string => wordIn(data, name);
  const { cause } = data;
  return [
    {
      tool: word("tool"),
      verdict: word("verdict"),
      reason: word("reason"),
      reasons: readReasons(data["reasons"]),
      layer: word("layer"),
      source: word("source"),
      ...(isRecord(cause) && {
        cause: {
          argument: wordIn(cause, "argument"),
          value: wordIn(cause, "value"),
          from: wordIn(cause, "from"),
          sentence: wordIn(cause, "sentence"),
        },
      }),
    },
  ];
}

/** Of older versions there are none. */
const readReasons = (value: unknown): GateReason[] =>
  Array.isArray(value) && value.every((each) => Check(GateReason, each)) ? value : [];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function wordIn(record: Record<string, unknown>, name: string): string {
  const value = record[name];
  return typeof value === "string" ? value : "";
}
