/** A turn in memory: a scripted model, tools that answer at once, and a journal that is a list. */
import type { Message, MessageEntry, Model } from "@pincer/sdk";
import { createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { systemClock } from "../../infra/clock.ts";
import { runTurn, type TurnParts, type TurnProgress, type TurnRequest } from "../run-turn.ts";
import { createTurnContext } from "../turn-context.ts";
import { outcomeOf } from "../turn-outcome.ts";
import type { TurnEvent } from "../turn-voice.ts";
import { admitting, type RunCall } from "./admitting.ts";
import { plainContext } from "./plain-context.ts";

export const asked: Message = { role: "user", content: [{ type: "text", text: "hello" }] };

/** A journal in memory, and tools that answer `did <name>`. */
export function createTurnStage(steps: ScriptedStep[], call?: RunCall, provider?: string) {
  const said: Message[] = [];
  const begun = new Set<string>();
  const waiting: Message[] = [];
  const model: Model & { requests?: unknown } = createScriptedModel(steps, provider);
  const keep = async (messages: Message[]) => {
    // Storing takes a moment, so that code which does not wait for it fails.
    await new Promise((resolve) => setImmediate(resolve));
    const from = said.push(...messages) - messages.length;
    return entriesOf(messages, from);
  };
  const nothingBefore = async () => ({ mark: undefined, said: [], isCut: false });
  const note = () => Promise.reject(new Error("nothing is noted here"));
  const parts: TurnParts = {
    model,
    clock: systemClock,
    context: {
      request: (...given) => context().request(...given),
      smaller: (...given) => context().smaller(...given),
      closing: (...given) => context().closing(...given),
      labelOf: (...given) => context().labelOf(...given),
      compactNow: (...given) => context().compactNow(...given),
    },
    journal: {
      append: keep,
      beginTool: async ({ id }) => void begun.add(id),
      takeInputs: () => keep(waiting.splice(0)),
    },
    tools: {
      descriptions: [{ name: "look", description: "Look.", parameters: {} }],
      isIdempotent: ({ name }) => name === "look",
      acts: ({ name }) => name !== "look",
      admit: admitting(
        call ??
          (async ({ name }) => ({
            ok: true,
            content: [{ type: "text", text: `did ${name}` }],
            usage: { durationMs: 1 },
          })),
      ),
    },
    texts: {
      stepLimit: (count) => `stopped after ${count}`,
      repeatedCalls: (tool, times) => `${tool} ${times} times`,
      cut: () => "cut off",
      modelFailed: (reason) => `failed: ${reason}`,
      overBudget: (reason) => reason,
      broken: (reason) => `broken: ${reason}`,
      outOfTime: () => "too long",
      answeredNothing: () => "nothing",
      brokeOff: () => "broke off",
      aborted: () => "stopped",
    },
  };
  const context = () =>
    createTurnContext(
      {
        journal: { view: nothingBefore, note },
        model: parts.model,
        tools: parts.tools,
        clock: systemClock,
        onEvent: () => {},
      },
      plainContext({ systemPrompt: "be kind" }),
    );
  const run = (
    messages: Message[],
    signal = new AbortController().signal,
    onEvent?: (event: TurnEvent) => void,
    begunCalls: ReadonlySet<string> = new Set(),
    limits: Partial<TurnRequest> & Pick<TurnProgress, "carried"> = {},
  ) =>
    runTurn(
      parts,
      {
        maxSteps: 3,
        maxRepeatedCalls: 3,
        voice: { reasoning: "off", blockBreak: "text_end" },
        signal,
        ...(onEvent ? { onEvent } : {}),
        ...limits,
      },
      {
        entries: entriesOf(messages),
        begunCalls,
        ...(limits.carried === undefined ? {} : { carried: limits.carried }),
      },
    );
  /** Runs a turn that begins with one question, and keeps what ends it, as its end would. */
  const ask = async (signal?: AbortSignal, onEvent?: (event: TurnEvent) => void) => {
    await keep([asked]);
    const conclusion = await run([...said], signal, onEvent);
    if (conclusion.type === "parked") throw new Error("parked");
    await keep([conclusion.last]);
    return { ...outcomeOf(said), ending: conclusion.ending };
  };
  return { said, begun, waiting, parts, model: model as ReturnType<typeof createScriptedModel>, run, ask };
}

const entriesOf = (messages: readonly Message[], from = 0): MessageEntry[] =>
  messages.map((message, index) => ({
    type: "message",
    message,
    seq: from + index + 2,
    time: "2026-01-01T00:00:00.000Z",
  }));
