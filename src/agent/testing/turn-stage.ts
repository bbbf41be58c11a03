/** A turn to be run in memory: a script for its model, tools that answer at once, and a journal that is a list. */
import type { Entry, Message, Model } from "@pincer/sdk";
import { createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { systemClock } from "../../infra/clock.ts";
import { runTurn, type TurnParts, type TurnProgress, type TurnRequest } from "../run-turn.ts";
import { outcomeOf } from "../turn-outcome.ts";
import type { TurnEvent } from "../turn-voice.ts";

export const asked: Message = { role: "user", content: [{ type: "text", text: "hello" }] };

/** A journal in memory, and tools that answer `did <name>`. */
export function createTurnStage(steps: ScriptedStep[], call?: TurnParts["tools"]["call"], provider?: string) {
  const said: Message[] = [];
  const begun = new Set<string>();
  const waiting: Message[] = [];
  const model: Model & { requests?: unknown } = createScriptedModel(steps, provider);
  const keep = async (messages: Message[]) => {
    // Storing takes a moment: whoever does not wait for it is caught.
    await new Promise((resolve) => setImmediate(resolve));
    said.push(...messages);
    return messages;
  };
  const parts: TurnParts = {
    model,
    clock: systemClock,
    journal: {
      append: keep,
      before: async () => [] satisfies Entry[],
      beginTool: async ({ id }) => void begun.add(id),
      takeInputs: () => keep(waiting.splice(0)),
    },
    tools: {
      descriptions: [{ name: "look", description: "Look.", parameters: {} }],
      isIdempotent: ({ name }) => name === "look",
      call:
        call ??
        (async ({ name }) => ({
          ok: true,
          content: [{ type: "text", text: `did ${name}` }],
          usage: { durationMs: 1 },
        })),
    },
    texts: {
      stepLimit: (count) => `stopped after ${count}`,
      repeatedCalls: (tool, times) => `${tool} ${times} times`,
      cut: () => "cut off",
      modelFailed: (reason) => `failed: ${reason}`,
      overBudget: (reason) => reason,
      answeredNothing: () => "nothing",
      brokeOff: () => "broke off",
      aborted: () => "stopped",
    },
  };
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
        systemPrompt: "be kind",
        maxSteps: 3,
        maxRepeatedCalls: 3,
        maxContextMessages: 50,
        voice: { reasoning: "off", blockBreak: "text_end" },
        signal,
        ...(onEvent ? { onEvent } : {}),
        ...limits,
      },
      { messages, begunCalls, ...(limits.carried === undefined ? {} : { carried: limits.carried }) },
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
