/** The environment of a replay: it answers everything that the loop asks as it was recorded, in the recorded order. */
import type {
  AssistantMessage,
  Entry,
  EntryBody,
  Model,
  ToolCallBlock,
  ToolResultMessage,
} from "@pincer/sdk";
import { setImmediate } from "node:timers/promises";
import type { TurnTools } from "../settle-calls.ts";
import { TurnStop } from "../turn-run.ts";
import type { JournalRow, TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import { createHiddenWords } from "./hidden-words.ts";
import {
  bodyOf,
  brokeRun,
  finalOf,
  handedOver,
  resultOf,
  saidNothing,
  stopIn,
  thrownThen,
} from "./read-recording.ts";

const mostTries = 1000;

export interface RecordedWorld {
  /** The store, with what is recorded coming in by it. */
  turns: TurnStore;
  model: Model;
  tools: TurnTools;
  /** Whether the last answer came from the model; otherwise all of its words are the product's own. */
  hasEnded(): boolean;
  /** What was stored, in the words that were recorded. */
  asRecorded(entries: readonly Entry[]): EntryBody[];
}

export function createRecordedWorld(parts: {
  recorded: readonly Entry[];
  steps: readonly JournalRow[];
  turn: Pick<TurnRecord, "ending">;
  turns: TurnStore;
  /** How many of the entries are there before the loop begins. */
  given: number;
  /** Stops the loop where nothing more is recorded, and where somebody stopped it then. */
  stop: AbortController;
}): RecordedWorld {
  const { recorded, steps, turns, stop } = parts;
  const { ending } = parts.turn;
  const final = finalOf(recorded, ending);
  const handed = handedOver(recorded, ending);
  const hidden = createHiddenWords();
  const pauses = new Set<string>();
  /** How many of the recorded entries have come out so far. */
  let at = 0;
  let hasEnded = false;

  const given = recorded.slice(0, parts.given).map(bodyOf);
  const claimed = { entriesFor: () => given, earlier: [] };
  const endsHere = () => stop.abort(new TurnStop("shutdown"));

  /** Words of people and notes about the session, up to the next answer. */
  function nextFromOutside(): EntryBody[] {
    const rest = recorded.slice(at);
    const next = rest.findIndex((entry) => entry.type === "message" && entry.message.role !== "user");
    return rest.slice(0, next < 0 ? rest.length : next).map(bodyOf);
  }

  const store: TurnStore = {
    ...turns,
    async claim(request) {
      const outcome = await turns.claim({ ...request, ...claimed });
      at = Math.max(at, given.length);
      return outcome;
    },
    async acquireAndClaim(lease, request) {
      const outcome = await turns.acquireAndClaim(lease, { ...request, ...claimed });
      at = Math.max(at, given.length);
      return outcome;
    },
    async record(request) {
      const stored = await turns.record(request);
      at += stored.length;
      return stored;
    },
    async takeInputs({ turnId, fence }) {
      const bodies = nextFromOutside();
      const stored =
        bodies.length > 0 ? await turns.record({ turnId, fence, bodies, steps: [], sync: "later" }) : [];
      at += stored.length;
      if (at >= recorded.length) endsHere();
      if (at === final && ending?.type === "failed") throw thrownThen(ending);
      return stored;
    },
    end(request) {
      const closing = final < 0 ? [] : recorded.slice(final + 1).map(bodyOf);
      return turns.end({ ...request, bodies: [...request.bodies, ...closing] });
    },
  };

  const answerAt = (index: number): AssistantMessage | undefined => {
    const entry = recorded[index];
    return entry?.type === "message" && entry.message.role === "assistant" ? entry.message : undefined;
  };
  const named = answerAt(final) ?? recorded.map((_, index) => answerAt(index)).findLast(Boolean);

  const model: Model = {
    provider: named?.provider ?? "none",
    id: named?.model ?? "none",
    async *stream() {
      const message = answerAt(at);
      if (!message) return endsHere();
      const stopped = at === final ? stopIn(ending, message) : undefined;
      if (stopped) stop.abort(new TurnStop(stopped));
      hasEnded ||= at === final;
      const isEmpty = at === final && saidNothing(ending, message);
      yield { type: "end", message: isEmpty ? { ...message, content: [] } : hidden.hide(message) };
    },
  };

  /** Where the result of a call of the present answer is recorded. */
  function findResult(callId: string): { index: number; answer: number } | undefined {
    let answer = at - 1;
    while (answer >= 0 && !answerAt(answer)) answer--;
    for (let index = answer + 1; index < recorded.length && !answerAt(index); index++)
      if (resultAt(index)?.toolCallId === callId) return { index, answer };
    return undefined;
  }
  const resultAt = (index: number): ToolResultMessage | undefined => {
    const entry = recorded[index];
    return entry?.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
  };

  const nextAnswer = (): number => {
    const index = recorded.findIndex((_, each) => each >= at && answerAt(each) !== undefined);
    return index < 0 ? recorded.length : index;
  };

  /** Results are stored as they ended then. One whose turn does not come is not waited for: then the order is what differs. */
  async function inItsTurn(index: number): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      if (at >= index) return;
      await setImmediate();
    }
  }

  /** A run that waited for its owner between the answer and this result waits here, too. */
  function pausesNow(answer: number, index: number): boolean {
    const [asked, ended] = [recorded[answer]?.time ?? "", recorded[index]?.time ?? ""];
    const due = steps.find(
      (step) =>
        step.type === "parked" &&
        step.reason === "approval" &&
        step.time >= asked &&
        step.time < ended &&
        !pauses.has(`${index}:${step.seq}`),
    );
    if (due) pauses.add(`${index}:${due.seq}`);
    return due !== undefined;
  }

  /** Who stopped the run while calls of the present answer were under way. */
  const stoppedBesides = (index: number): TurnStop["by"] | undefined => {
    const next = recorded.findIndex((_, each) => each >= index && answerAt(each) !== undefined);
    const message = answerAt(next);
    return message && next === final ? stopIn(ending, message) : undefined;
  };
  const lacksResults = (answer: number, last: number): boolean =>
    answerAt(answer)?.content.filter((block) => block.type === "toolCall").length !== last - answer;

  const tools: TurnTools = {
    descriptions: [],
    isIdempotent: () => true,
    acts: () => false,
    isHandedOver: ({ name }) => handed.has(name),
    async admit({ id }: ToolCallBlock) {
      const found = findResult(id);
      const message = found && resultAt(found.index);
      if (!found || !message) {
        // It waited for the owner when the run was stopped.
        if (stoppedBesides(at)) return { type: "pause", approvalId: "replay" };
        // Those that have a result get it first.
        await inItsTurn(nextAnswer());
        endsHere();
        return { type: "refused", result: { ok: false, content: [], usage: { durationMs: 0 } } };
      }
      if (pausesNow(found.answer, found.index)) return { type: "pause", approvalId: "replay" };
      const reason = brokeRun(ending, answerAt(final), message);
      if (reason !== undefined) {
        // Those that had begun by then begin first.
        await setImmediate();
        await inItsTurn(found.index);
        return { type: "break", reason };
      }
      return {
        type: "run",
        async run() {
          await inItsTurn(found.index);
          const by = found.index + 1 === final ? stoppedBesides(found.index) : undefined;
          if (by && lacksResults(found.answer, found.index)) stop.abort(new TurnStop(by));
          return resultOf(message);
        },
      };
    },
  };

  return {
    turns: store,
    model,
    tools,
    hasEnded: () => hasEnded,
    asRecorded: (entries) => entries.map((entry) => hidden.show(bodyOf(entry))),
  };
}
