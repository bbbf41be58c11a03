/**
 * One turn of the product over stores in memory: its loop, its view of the session, its gate and its tools, as set-up
 * puts them together. Only what it is stored in and what it reaches is played.
 */
import { clean, type EntryBody, type Label, type Message, type ToolVisibility } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { handlesFor } from "../../../src/agent/context/turn-contexts.ts";
import { labelOfPrompt, promptTexts } from "../../../src/agent/prompt/trusted-text.ts";
import type { Prompt } from "../../../src/agent/prompt/prompt.ts";
import { runTurn, type TurnConclusion, type TurnParts } from "../../../src/agent/run-turn.ts";
import { plainContext } from "../../../src/agent/testing/plain-context.ts";
import { createTurnContext } from "../../../src/agent/turn-context.ts";
import { TurnStop } from "../../../src/agent/turn-run.ts";
import type { Config } from "../../../src/config/schema.ts";
import { gateTurn } from "../../../src/gate/gate-turn.ts";
import { filesByWord, filesNamed } from "../../../src/gate/grants/files-named.ts";
import type { AskWithoutTools, TurnGate, TurnJudge } from "../../../src/gate/turn-gate.ts";
import { configRules } from "../../../src/policy/config-rules.ts";
import { visibilityRules } from "../../../src/policy/tool-visibility.ts";
import type { SessionRecord } from "../../../src/storage/stores.ts";
import type { TurnRecord } from "../../../src/storage/turns/turns.ts";
import type { ToolExecutor } from "../../../src/tools/tool-executor.ts";
import type { ToolSet } from "../../../src/tools/tool-set.ts";
import type { CoreStores } from "./core-stores.ts";
import type { CoreFiles } from "./core-tools.ts";
import { createDrivenModel, textsOfRequest, type ModelAnswer } from "./driven-model.ts";
import type { Shown } from "./port.ts";

export interface CoreTurnParts {
  stores: CoreStores;
  /** A new one after a crash: a gate remembers nothing that is not stored. */
  gate(): TurnGate;
  bound: { tools: ToolSet; executor: ToolExecutor };
  files: CoreFiles;
  labelOfFile(path: string): Promise<Label | undefined>;
  prompt: Pick<Prompt, "text" | "parts">;
  config: Config;
  ask: AskWithoutTools;
  /** Takes a rule out of what judges the turn's calls. */
  judged(judge: TurnJudge): TurnJudge;
  /** As it is stored. */
  stored(body: EntryBody): EntryBody;
}

export type Step =
  | { type: "shown"; shown: Shown; results: Message[] }
  | { type: "asked" }
  | { type: "ended"; conclusion: Extract<TurnConclusion, { type: "ended" }> };

export interface CoreTurn {
  /** What comes next: a request, a card, or its end. */
  next(): Promise<Step>;
  /** When it is on its way to its end. */
  conclusion(): Promise<TurnConclusion>;
  answer(answer: ModelAnswer): void;
  stop(): void;
  /** Goes on from what is stored: after a crash, or when the owner has answered. */
  resume(): void;
}

const clock = createHandClock();

export function openCoreTurn(run: TurnRecord, session: SessionRecord, parts: CoreTurnParts): CoreTurn {
  const { stores, bound, config, prompt } = parts;
  const { sessionId } = session;
  const isGroup = run.destination?.target.peerKind === "group";
  const isOwners = run.person.role === "owner";
  const seen = new Set<string>();
  const begun = new Set<string>();
  let going = go();

  const place: ToolVisibility = {
    agentId: run.agentId,
    sessionKey: run.sessionKey,
    chatType: isGroup ? "group" : isOwners ? "main" : "direct",
    userRoles: [run.person.role],
    channel: run.origin.channel,
    ...(run.destination && { chatId: run.destination.target.peerId }),
  };

  function go() {
    const stopping = new AbortController();
    const driven = createDrivenModel();
    return { stopping, driven, concluded: conclude(driven, stopping.signal) };
  }

  async function conclude({ model }: ReturnType<typeof createDrivenModel>, signal: AbortSignal) {
    await Promise.resolve();
    const handles = handlesFor(run.person, place.chatType, bound.tools.all(), config);
    const gate = parts.gate();
    const { gated, judged } = gateTurn({
      gate: { open: (turn) => parts.judged(gate.open(turn)) },
      bound,
      rules: [...visibilityRules(config.tools.visibility), ...configRules(config, place)],
      turn: {
        run,
        session,
        turnId: run.turnId,
        sessionId,
        firstSeq: run.firstSeq,
        filesNamed: (text) => filesNamed(parts.files, text),
        filesByWord: (text) => filesByWord(parts.files, text),
        labelOfFile: parts.labelOfFile,
        files: parts.files,
        isOwners,
        isGroup,
        maxMessages: 400,
        prompt: () => promptTexts(prompt),
        handles: () => handles,
        now: "",
        ask: parts.ask,
        read: async () => ({ type: "unread", reason: "nobody reads here" }),
        signal,
      },
      place: {
        sessionKey: run.sessionKey,
        workdir: parts.files.root,
        visibility: place,
        conversation: run.destination ?? undefined,
        turnId: run.turnId,
      },
    });
    contextNow = async () => (await judged.contextNow?.())?.label ?? clean;
    const keep = async (messages: readonly Message[]) => {
      const bodies = messages.map((message) => ({ type: "message" as const, runId: run.turnId, message }));
      const entries = stores.append(sessionId, bodies.map(parts.stored));
      return entries.filter((entry) => entry.type === "message");
    };
    const journal = {
      append: keep,
      beginTool: async ({ id }: { id: string }) => void begun.add(id),
      takeInputs: async () => [],
      view: ({ limit }: { limit: number }) =>
        stores.entries.view(sessionId, { before: run.firstSeq ?? 0, limit }),
      note: () => Promise.reject(new Error("nothing is summed up here")),
    };
    const plain = plainContext({ systemPrompt: prompt.text, promptLabel: labelOfPrompt(prompt) });
    const context = createTurnContext(
      { journal, model, tools: gated, clock, onEvent: () => {} },
      { ...plain, view: { ...plain.view, maxMessages: 400, ...(handles && { handles }) } },
    );
    const turn: TurnParts = { journal, context, model, tools: gated, texts, clock, guard: judged.guard };
    const limits = { maxSteps: 1000, maxRepeatedCalls: 50, voice } as const;
    return runTurn(
      turn,
      { ...limits, signal },
      { entries: stores.said(sessionId, run.turnId), begunCalls: new Set(begun) },
    );
  }

  let contextNow: () => Promise<Label> = async () => clean;

  return {
    async next() {
      const { driven, concluded } = going;
      const first = await Promise.race([
        driven.asked().then((request) => ({ type: "request" as const, request })),
        concluded.then((conclusion) => ({ type: "over" as const, conclusion })),
      ]);
      if (first.type === "over")
        return first.conclusion.type === "parked"
          ? { type: "asked" }
          : { type: "ended", conclusion: first.conclusion };
      const fresh = textsOfRequest(first.request).filter((text) => !seen.has(text));
      for (const text of fresh) seen.add(text);
      const results = first.request.messages.filter(({ role }) => role === "toolResult");
      return {
        type: "shown",
        shown: { text: fresh.join("\n"), isTainted: (await contextNow()).untrusted },
        results,
      };
    },
    conclusion: () => going.concluded,
    answer: (answer) => going.driven.answer(answer),
    stop: () => going.stopping.abort(new TurnStop("stop")),
    resume: () => void (going = go()),
  };
}

const voice = { reasoning: "off", blockBreak: "text_end" } as const;

const texts: TurnParts["texts"] = {
  stepLimit: (steps) => `stopped after ${steps}`,
  repeatedCalls: (tool, times) => `${tool} ${times} times`,
  cut: () => "cut off",
  modelFailed: (reason) => reason,
  overBudget: (reason) => reason,
  broken: (reason) => reason,
  outOfTime: () => "too long",
  answeredNothing: () => "nothing",
  brokeOff: () => "broke off",
  aborted: () => "stopped",
};
