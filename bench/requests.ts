/** What it costs to build a request after few and after many earlier turns: reading the session from the disk, and making messages of it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultScope, noUsage, type AssistantMessage, type EntryBody } from "@pincer/sdk";
import { digestOf } from "../src/agent/compaction/digest-summary.ts";
import { buildMessages } from "../src/agent/context/build-messages.ts";
import type { Mark, ViewSettings } from "../src/agent/context/session-view.ts";
import { messagesToRead } from "../src/agent/context/view-window.ts";
import { mostDigestChars } from "../src/agent/turn-context.ts";
import { systemClock } from "../src/infra/clock.ts";
import { createIds } from "../src/infra/ids.ts";
import { openSqliteStores } from "../src/storage/open-sqlite-stores.ts";
import type { TenantStores } from "../src/storage/storage.ts";

export interface RequestFigures {
  requests: RequestFigure[];
  /**
   * After the most turns, as a multiple of after the fewest, the older ones summed up; the goal is at most 1.15. The median of what it was in
   * each round: what slows the machine down for a while meets both.
   */
  growth: number;
}

interface RequestFigure {
  earlierTurns: number;
  /** Whether all but the last ten of them are. */
  isSummedUp: boolean;
  messages: number;
  /** Processor time, all threads together; the median of the rounds. */
  cpuMicroseconds: number;
}

interface Session {
  earlierTurns: number;
  isSummedUp: boolean;
  build(): Promise<number>;
}

const settings: ViewSettings = {
  maxMessages: 50,
  resultChars: 10_000,
  pruning: { mode: "cache-ttl", ttlMs: 300_000, keepLastAssistants: 3, isUntrusted: false },
  timezone: "Asia/Shanghai",
  limits: { contextWindow: 200_000, maxTokens: 8192 },
  reserveTokens: 20_000,
};
const shownTurns = 10;

/** In a directory of its own, which is cleared away; takes some seconds. */
export async function measureRequests({
  turns = [10, 1000, 10_000],
  rounds = 60,
  perRound = 20,
} = {}): Promise<RequestFigures> {
  const directory = await mkdtemp(join(tmpdir(), "pincer-bench-"));
  const file = join(directory, "core.db");
  const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
  try {
    const tenant = stores.tenant("default");
    const sessions: Session[] = [];
    for (const isSummedUp of [true, false])
      for (const earlierTurns of turns) {
        if (isSummedUp || earlierTurns > shownTurns)
          sessions.push(await talk(tenant, { earlierTurns, isSummedUp }));
      }
    const measured = await measureTogether(sessions, { rounds, perRound });
    const summedUp = measured.filter(({ session }) => session.isSummedUp).map(({ costs }) => costs);
    const few = summedUp[0] ?? [];
    const ratios = (summedUp.at(-1) ?? []).map((cost, round) => cost / (few[round] ?? Number.NaN));
    return { requests: measured.map(figureOf), growth: Math.round(100 * median(ratios)) / 100 };
  } finally {
    await stores.close();
    await rm(directory, { recursive: true });
  }
}

/** A session with that many turns in a database that nobody has open. */
export async function fillSession(file: string, sessionKey: string, earlierTurns: number): Promise<void> {
  const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
  try {
    const { sessions, entries } = stores.tenant(defaultScope.tenantId);
    const { workspaceId, agentId } = defaultScope;
    const origin = { channel: "http" };
    const { session } = await sessions.open({ sessionKey, workspaceId, agentId, origin, cwd: "/" });
    for (let begun = 0; begun < earlierTurns; begun += 250) {
      const count = Math.min(250, earlierTurns - begun);
      const bodies = Array.from({ length: count }, (_, index) => turn(begun + index)).flat();
      await entries.append(session.sessionId, bodies);
    }
  } finally {
    await stores.close();
  }
}

/** A session of turns with one tool call each. */
async function talk(
  { sessions, entries }: TenantStores,
  { earlierTurns, isSummedUp }: Pick<Session, "earlierTurns" | "isSummedUp">,
): Promise<Session> {
  const { session } = await sessions.open({
    sessionKey: `${earlierTurns} turns, ${isSummedUp ? "summed up" : "as they were said"}`,
    workspaceId: "default",
    agentId: "main",
    origin: { channel: "cli" },
    cwd: "/",
  });
  const { sessionId } = session;
  let last = session.lastSeq;
  for (let begun = 0; begun < earlierTurns; begun += 250) {
    const count = Math.min(250, earlierTurns - begun);
    const bodies = Array.from({ length: count }, (_, index) => turn(begun + index)).flat();
    last = (await entries.append(sessionId, bodies)).at(-1)?.seq ?? last;
  }
  const keepFrom = last + 1 - shownTurns * turn(0).length;
  if (isSummedUp)
    await entries.append(sessionId, [
      { type: "compaction", summary: "They spoke of the weather.", keepFrom },
    ]);

  const query = { before: last + 2, limit: messagesToRead(settings.maxMessages) };
  return {
    earlierTurns,
    isSummedUp,
    async build() {
      const { mark, ...read } = await entries.view(sessionId, query);
      const { messages } = buildMessages({
        view: { ...read, mark: mark as Mark | undefined },
        turn: [],
        settings,
        fixedTokens: 3000,
        level: "normal",
        digest: (said) => digestOf(said, mostDigestChars),
        hasSessionMemory: false,
      });
      return messages.length;
    },
  };
}

function turn(index: number): EntryBody[] {
  const id = `call_${index}`;
  const answer = (rest: Pick<AssistantMessage, "content" | "stopReason">): EntryBody => ({
    type: "message",
    message: { role: "assistant", provider: "p", model: "m", usage: noUsage(), ...rest },
  });
  const text = (words: string) => [{ type: "text" as const, text: words }];
  const weather = "Fair, with some wind from the west. ".repeat(20);
  return [
    {
      type: "message",
      message: { role: "user", content: text("What is the weather like today? ".repeat(4)) },
    },
    answer({ content: [{ type: "toolCall", id, name: "read", arguments: {} }], stopReason: "toolUse" }),
    {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId: id,
        toolName: "read",
        content: text(weather),
        isError: false,
      },
    },
    answer({ content: text(weather.slice(0, 200)), stopReason: "stop" }),
  ];
}

interface Measured {
  session: Session;
  messages: number;
  /** Of one request, by round. */
  costs: number[];
}

/** Round by round, each session once per round and in turn from either end, so that whatever else the machine does meets all of them. */
async function measureTogether(
  sessions: readonly Session[],
  { rounds, perRound }: { rounds: number; perRound: number },
): Promise<Measured[]> {
  const measured = sessions.map((session): Measured => ({ session, messages: 0, costs: [] }));
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++)
    for (const each of round % 2 === 0 ? measured : measured.toReversed()) {
      const before = process.cpuUsage();
      for (let left = perRound; left > 0; left--) each.messages = await each.session.build();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) each.costs.push((user + system) / perRound);
    }
  return measured;
}

const figureOf = ({ session: { earlierTurns, isSummedUp }, messages, costs }: Measured): RequestFigure => ({
  earlierTurns,
  isSummedUp,
  messages,
  cpuMicroseconds: Math.round(median(costs)),
});

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The figures as a table for people. */
export function printRequests({ requests, growth }: RequestFigures): void {
  console.log("\nBuilding a request, by the number of earlier turns");
  console.table(requests);
  const most = Math.max(...requests.map(({ earlierTurns }) => earlierTurns)).toLocaleString("en");
  const verdict = growth <= 1.15 ? "met" : "MISSED";
  console.log(`after ${most} turns ${growth} × of after few (goal ≤ 1.15 ×: ${verdict})`);
}
