/** What is handed to a gate in place of its own part, so that one rule is missing and its law can be seen to fail. */
import { clean, type EntryBody, type Message, type MessageEntry } from "@pincer/sdk";
import { labelOfBlock } from "../../../src/gate/labels/entry-label.ts";
import type { TurnJudge } from "../../../src/gate/turn-gate.ts";
import type { Judged } from "../../../src/gate/judge-call.ts";
import type { CoreStores } from "./core-stores.ts";
import type { Rule } from "./port.ts";

export interface TakenOut {
  /** What judges the calls of a turn. */
  judged(judge: TurnJudge): TurnJudge;
  /** What the gate reads. */
  stores(stores: CoreStores): CoreStores;
  /** What is stored of a turn. */
  stored(body: EntryBody): EntryBody;
  spendBits<Spend extends (agentId: string, bits: number) => Promise<boolean>>(spend: Spend): Spend;
}

const nothing: TakenOut = {
  judged: (judge) => judge,
  stores: (stores) => stores,
  stored: (body) => body,
  spendBits: (spend) => spend,
};

export function takenOut(rule: Rule | undefined): TakenOut {
  switch (rule) {
    case undefined:
      return nothing;
    case "grants":
      return { ...nothing, judged: without((judged) => dropping(judged, grantCodes)) };
    case "leaving":
      return {
        ...nothing,
        judged: without((judged) => ({
          ...dropping(judged, new Set(["private-sources"])),
          anew: undefined,
        })),
      };
    case "bits":
      return { ...nothing, spendBits: (spend) => (async () => true) as unknown as typeof spend };
    case "labels":
      return { ...nothing, stored: withoutLabel };
    case "planner-input":
      return { ...nothing, stores: whollyTyped };
  }
}

const grantCodes: ReadonlySet<string> = new Set([
  "not-asked-for",
  "more-than-asked",
  "other-recipient",
  "other-host",
  "other-value",
]);

const dropping = (judged: Judged, codes: ReadonlySet<string>): Judged => ({
  ...judged,
  findings: judged.findings.filter(({ code }) => !codes.has(code)),
});

const without =
  (change: (judged: Judged) => Judged) =>
  (judge: TurnJudge): TurnJudge => ({
    ...judge,
    ...(judge.judge && {
      judge: async (...asked) => change((await judge.judge?.(...asked)) ?? { findings: [] }),
    }),
  });

/** Nothing says any more who wrote it. */
function withoutLabel(body: EntryBody): EntryBody {
  if (body.type !== "message" || body.message.role === "user") return body;
  return { ...body, message: { ...body.message, label: clean } };
}

/** What was pasted is read as if it had been typed; whose it is stays. */
function whollyTyped(stores: CoreStores): CoreStores {
  return {
    ...stores,
    turns: {
      ...stores.turns,
      entries: async (turnId) =>
        (await stores.turns.entries(turnId)).map((entry) =>
          entry.type === "message" ? { ...entry, message: typed(entry.message) } : entry,
        ),
    },
  };
}

function typed(message: MessageEntry["message"]): Message {
  if (message.role !== "user") return message;
  const content = message.content.map((block) => {
    if (block.type !== "text") return block;
    const { pasted: _, ...plain } = block;
    return { ...plain, origin: "owner" as const, label: labelOfBlock(block, "owner") };
  });
  return { ...message, content };
}
