/** The product's gate behind the port, in the loop of a turn, over stores, files, a web and people in memory. */
import {
  textOf,
  type Destination,
  type InboundMessage,
  type MessageEntry,
  type ToolCallBlock,
} from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { createResultReader } from "../../../src/agent/context/result-reader.ts";
import type { PromptPart } from "../../../src/agent/prompt/prompt.ts";
import { createScouts } from "../../../src/agent/scout/create-scouts.ts";
import { inputMessages } from "../../../src/agent/turn-inputs.ts";
import { defaultConfig } from "../../../src/config/default-config.ts";
import { createFileLabels } from "../../../src/gate/labels/file-labels.ts";
import { labelOfBlock } from "../../../src/gate/labels/entry-label.ts";
import { bitsPerDay } from "../../../src/gate/leaving/check-address.ts";
import { createTurnGate } from "../../../src/gate/turn-gate.ts";
import { createRedactor } from "../../../src/infra/redactor.ts";
import { isUnconfirmed } from "../../../src/memory/labelled-line.ts";
import type { InboxRow } from "../../../src/storage/inbox/inbox.ts";
import type { SessionRecord } from "../../../src/storage/stores.ts";
import type { TurnRecord } from "../../../src/storage/turns/turns.ts";
import { createToolExecutor } from "../../../src/tools/tool-executor.ts";
import { createToolSet } from "../../../src/tools/tool-set.ts";
import { createCoreStores } from "./core-stores.ts";
import { createCoreFiles, createCoreTools, type Happened, type ToolPlace } from "./core-tools.ts";
import { answerOf } from "./driven-model.ts";
import { openCoreTurn, type CoreTurn, type Step } from "./core-turn.ts";
import { familyId, familyPlace, knownPlaces } from "./law-tools.ts";
import { askModels, nameOf } from "./played-planner.ts";
import type { CallAnswer, GateUnderTest, ModelCall, OpenGate, OutsideEvent, TurnStart } from "./port.ts";
import { lawWorld } from "./program.ts";
import { takenOut } from "./taken-out.ts";

/** Of the program that is played. Its tools are made once: programs are played one after another. */
let present: ToolPlace | undefined;
const clock = createHandClock();
const tools = createToolSet(
  createCoreTools(lawWorld("").mails, () => {
    if (!present) throw new Error("no program is played");
    return present;
  }),
);
const bound = { tools, executor: createToolExecutor({ tools, clock }) };

const config = {
  ...defaultConfig,
  owners: ["pigeon:42"],
  contacts: Object.fromEntries(knownPlaces.map((place) => [nameOf(place), [place]])),
};

export const openCoreGate: OpenGate = async (world, models, { without } = {}): Promise<GateUnderTest> => {
  const stores = createCoreStores(() => new Date(clock.now()).toISOString());
  const files = createCoreFiles(world.files);
  const labels = createFileLabels({ store: stores.gate, places: { of: (real) => real } });
  for (const [path, { isOwners }] of Object.entries(world.files)) {
    const { real, hash = "" } = files.versionOf(path);
    const label = { untrusted: false, sources: [] };
    if (isOwners) stores.labelFile(real, hash, { label, by: "owner", at: "" });
  }
  const remembered = [world.memory];
  const spent = new Map<string, number>();
  const outside: OutsideEvent[] = [];
  const owner: Array<{ turn: number; call: number; text: string }> = [];
  const out = takenOut(without);
  let turns = -1;
  let open:
    | { start: TurnStart; turn: CoreTurn; record: TurnRecord; session: SessionRecord; calls: number }
    | undefined;

  const now = () => {
    if (!open) throw new Error("no turn runs");
    return open;
  };
  const happened = (event: Happened) =>
    void outside.push({ ...event, turn: turns, call: now().calls } as OutsideEvent);
  const told = (text: string) => void owner.push({ turn: turns, call: now().calls, text });

  const openGate = () =>
    createTurnGate({
      stores: out.stores(stores),
      config: () => config,
      redactor,
      approvals: { ...stores.approvals, grants: async () => [] },
      rate: { take: () => ({ ok: true }), deleted: () => ({ ok: true }) },
      deletedBy: async () => 0,
      spendBits: out.spendBits(async (agentId, bits) => {
        const day = `${agentId} ${now().start.day}`;
        const sum = (spent.get(day) ?? 0) + bits;
        if (sum > bitsPerDay) return false;
        spent.set(day, sum);
        return true;
      }),
      onError(error) {
        throw error;
      },
    });

  present = {
    world,
    files,
    labels,
    happened,
    remember: (text) => void remembered.push(text),
    open: createResultReader({ stores, workspaceId: "w" }).open,
    send: createScouts({
      turns: stores.turns,
      children: {
        async run({ says }) {
          const isTainted = says.some((block) => labelOfBlock(block, "owner").untrusted);
          const read = models.scout(says.map(({ text }) => text).join("\n"), isTainted);
          for (const url of read) happened({ type: "read", by: "scout", url });
          const text = read.map((url) => world.pages[url] ?? "nothing here").join("\n");
          return { turn: { ending: { type: "answered" } } as TurnRecord, messages: [answerOf(text)] };
        },
      },
    }),
  };

  /** What the turn comes to after a call, or when it goes on. */
  function outcome(step: Step, callId: string): CallAnswer {
    switch (step.type) {
      case "asked": {
        const card = stores.openCard();
        if (!card) throw new Error("the turn waits, and nobody is asked");
        told(card.subject.shown);
        return { type: "asked" };
      }
      case "shown": {
        const result = step.results.find((each) => each.role === "toolResult" && each.toolCallId === callId);
        if (result?.role !== "toolResult") throw new Error("a call has no result");
        return { type: "result", ran: !result.isError, shown: step.shown };
      }
      case "ended":
        throw new Error(`the turn has ended: ${JSON.stringify(step.conclusion.ending)}`);
    }
  }

  async function end(how: (turn: CoreTurn) => void): Promise<string> {
    const { turn, start, record, session } = now();
    how(turn);
    const conclusion = await turn.conclusion();
    if (conclusion.type !== "ended") throw new Error(`the turn has not ended: ${conclusion.type}`);
    const body = { type: "message" as const, runId: record.turnId, message: conclusion.last };
    stores.append(session.sessionId, [out.stored(body)]);
    stores.endTurn(record.turnId);
    const text = textOf(conclusion.last);
    if (start.session !== "family") told(text);
    else if (conclusion.ending.type === "answered")
      happened({ type: "act", tool: "answer", recipients: [familyPlace], arguments: { text } });
    open = undefined;
    return text;
  }

  return {
    async startTurn(start) {
      turns++;
      const session = sessionOf(start);
      const { sessionId } = session;
      const record = turnOf(start, turns, session, stores.nextSeq(sessionId));
      stores.addTurn(record, session);
      const said = inputMessages([rowOf(start, turns)], record.person);
      const bodies = said.map((message) => ({ type: "message" as const, runId: record.turnId, message }));
      stores.append(sessionId, bodies.map(out.stored));
      const parts = promptOf(start, world.user, remembered);
      const turn = openCoreTurn(record, session, {
        stores,
        gate: openGate,
        bound,
        files,
        labelOfFile: async (path) => labels.of([files.versionOf(path)]),
        prompt: { parts, text: parts.map(({ text }) => text).join("\n") },
        config,
        ask: askModels(models),
        judged: out.judged,
        stored: out.stored,
      });
      open = { start, turn, record, session, calls: 0 };
      const step = await turn.next();
      if (step.type !== "shown") throw new Error(`the turn did not begin: ${step.type}`);
      return step.shown;
    },
    async call(call) {
      const turn = now();
      const id = `t${turns}c${turn.calls}`;
      turn.turn.answer({
        type: "calls",
        calls: [{ id, ...asMade(call, () => stores.said(turn.session.sessionId)) }],
      });
      const answer = outcome(await turn.turn.next(), id);
      if (answer.type === "result") turn.calls++;
      return answer;
    },
    async answerCard(isYes) {
      const turn = now();
      stores.answerCard(isYes);
      turn.turn.resume();
      const answer = outcome(await turn.turn.next(), `t${turns}c${turn.calls}`);
      if (answer.type === "asked") throw new Error("a card was answered and is asked again");
      turn.calls++;
      return answer;
    },
    endTurn: (text) => end((turn) => turn.answer({ type: "says", text })),
    async stopTurn() {
      await end((turn) => turn.stop());
    },
    async crash() {
      const { turn } = now();
      turn.resume();
      const step = await turn.next();
      if (step.type === "ended") throw new Error("the turn did not go on");
    },
    look: () => ({ outside, owner }),
    async close() {
      present = undefined;
    },
  };
};

const redactor = createRedactor();

/** In the names and with the arguments that the product's tools have. */
function asMade(
  { tool, arguments: given }: ModelCall,
  said: () => readonly MessageEntry[],
): Omit<ToolCallBlock, "id" | "type"> {
  switch (tool) {
    case "message":
      return { name: tool, arguments: { action: "send", ...given } };
    case "exec":
      return { name: tool, arguments: { command: `cat ${given["path"]}` } };
    case "scout":
      return { name: "research", arguments: given };
    case "recall": {
      const found = said().at(-1 - Number(given["back"]));
      return { name: tool, arguments: { handle: found?.seq ?? 1_000_000 } };
    }
    default:
      return { name: tool, arguments: given };
  }
}

function promptOf({ by, session }: TurnStart, user: string, remembered: readonly string[]): PromptPart[] {
  const part = (name: PromptPart["name"], text: string): PromptPart =>
    ({ name, text, why: "prompt.why.always" }) as unknown as PromptPart;
  const isMain = by === "owner" && session !== "family";
  const lines = remembered.flatMap((text) => text.split("\n")).filter((line) => !isUnconfirmed(line));
  return [
    part("identity", "You are Pincer."),
    ...(isMain ? [part("files", `## USER.md\n${user}`), part("memory", lines.join("\n"))] : []),
  ];
}

const sessionKeyOf = ({ agent, session }: TurnStart): string =>
  `agent:${agent}:${{ main: "main", second: "named:second", family: `pigeon:group:${familyId}` }[session]}`;

function destinationOf({ session }: TurnStart): Destination {
  const target =
    session === "family"
      ? { peerKind: "group" as const, peerId: familyId }
      : { peerKind: "user" as const, peerId: "42" };
  return { channel: "pigeon", accountId: "default", target };
}

const sessionOf = (start: TurnStart): SessionRecord =>
  ({
    sessionId: sessionKeyOf(start),
    sessionKey: sessionKeyOf(start),
    workspaceId: "w",
    agentId: start.agent,
  }) as SessionRecord;

const turnOf = (start: TurnStart, index: number, session: SessionRecord, firstSeq: number): TurnRecord =>
  ({
    turnId: `t${index}`,
    position: index,
    state: "running",
    workspaceId: "w",
    agentId: start.agent,
    sessionKey: session.sessionKey,
    sessionId: session.sessionId,
    firstSeq,
    origin: { channel: "pigeon" },
    destination: destinationOf(start),
    replyTo: null,
    person: start.by === "owner" ? { role: "owner", id: "pigeon:42" } : { role: "peer", id: "pigeon:77" },
    options: {},
  }) as unknown as TurnRecord;

/** A message as a channel brings it that knows what was pasted. */
function rowOf(start: TurnStart, index: number): InboxRow {
  const { target } = destinationOf(start);
  let text = "";
  const pasted: Array<{ start: number; end: number }> = [];
  for (const block of start.words) {
    if (text !== "") text += " ";
    if (block.isPasted) pasted.push({ start: text.length, end: text.length + block.text.length });
    text += block.text;
  }
  const message: InboundMessage = {
    tenantId: "t",
    workspaceId: "w",
    channel: "pigeon",
    accountId: "default",
    peer: { kind: target.peerKind, id: target.peerId },
    sender: { id: start.by === "owner" ? "42" : "77" },
    message: { type: "text", id: `m${index}`, text, pasted, attachments: [], mentioned: true },
    timestamp: clock.now(),
  };
  return { message, isOverheard: false } as unknown as InboxRow;
}
