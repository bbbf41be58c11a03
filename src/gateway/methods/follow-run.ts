/**
 * Follows a run to its end, from any point: first what is stored of it, then its current text, then live events. So a
 * client that was cut off continues where it was, even if the gateway restarted in between.
 */
import type { Entry } from "@pincer/sdk";
import type { TurnEvent } from "../../agent/turn-voice.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { onAbort } from "../../infra/on-abort.ts";
import { createWaits } from "../../infra/waits.ts";
import type { EntryStore } from "../../storage/stores.ts";
import type { RecalledTurn, TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import type { Engine } from "../../routing/engine.ts";
import type { Saying } from "../../agent/turns/run-events.ts";

export interface RunFollowerParts {
  engine: Pick<Engine, "events" | "approvals">;
  turns: Pick<TurnStore, "get">;
  entries: Pick<EntryStore, "after">;
  clock: Clock;
  /** Aborts when the gateway stops. */
  stopping: AbortSignal;
}

export interface RunReader {
  signal: AbortSignal;
  /** Throws where there is no such run, or it is none of theirs. */
  check(turn: TurnRecord | undefined): void;
  /** Entries above this number are wanted; undefined: none are. */
  after: number | undefined;
  tell(event: TurnEvent): void;
  /** Each entry once, in order. */
  step(entry: Entry): void;
  /** Told once, before the first event, what the present step has said so far; left out: only what comes is told. */
  snapshot?: ((saying: Saying) => void) | undefined;
}

/** Resolves when the run has ended, with all of it if that was told with its end. Throws `gateway/stopped`, or the signal's reason. */
export type FollowRun = (turnId: string, reader: RunReader) => Promise<RecalledTurn | undefined>;

const lookAgainMs = 5000;
const onTheDiskMs = 1000;
const pageSize = 100;

export function createRunFollower({ engine, turns, entries, clock, stopping }: RunFollowerParts): FollowRun {
  return async function follow(turnId, reader) {
    const end = Promise.withResolvers<"ended" | "over">();
    let whole: RecalledTurn | undefined;
    const leaving = aborted(reader.signal, stopping);
    leaving.promise.catch(() => undefined);
    const looks = createWaits(clock);
    const told = tellOnce(reader);
    const steps = createSteps(turnId, reader);
    // What happens while the beginning is being told waits its turn.
    let held: TurnEvent[] | undefined = [];

    /** What the run begins with is stored before the first thing that it says. */
    let isFirst = true;
    function hear(event: TurnEvent): void {
      if (held) return void held.push(event);
      told(event);
      if (isFirst || isStep(event)) steps.look();
      isFirst = false;
    }
    // Listens first and looks then: an end in between is not missed.
    const stopListening = engine.events.subscribe(turnId, {
      event: hear,
      ended(_turn, told) {
        whole = told;
        end.resolve("ended");
      },
      over: () => end.resolve("over"),
    });
    try {
      let turn = await turns.get(turnId);
      reader.check(turn);
      await steps.settle();
      const saying = engine.events.saying(turnId);
      if (reader.snapshot) {
        if (saying) reader.snapshot(saying);
        // They are in the snapshot, or in a step by now, or not meant any more.
        held = held.filter(({ type }) => type !== "text-delta" && type !== "thinking-delta");
      }
      for (const event of await engine.approvals.openOf(turnId)) told(event);
      const missed = held;
      held = undefined;
      for (const event of missed) hear(event);
      while (turn && !hasEnded(turn)) {
        // Polls now and then: a turn that ends without a notification must not keep anybody waiting forever.
        if ((await Promise.race([end.promise, looks.wait(lookAgainMs), leaving.promise])) === "ended") break;
        turn = await turns.get(turnId);
        // What is committed may not be on disk yet: the process that ends it here says when it is.
        if (turn && hasEnded(turn))
          await Promise.race([end.promise, looks.wait(onTheDiskMs), leaving.promise]);
      }
      await steps.settle();
      return whole;
    } finally {
      stopListening();
      looks.end();
      leaving.forget();
    }
  };

  /** Reads what is stored of the run as it grows, one read at a time. */
  function createSteps(turnId: string, { after, step }: RunReader) {
    let last = after ?? 0;
    let reading: Promise<void> | undefined;
    let again = false;

    async function read(): Promise<void> {
      const turn = await turns.get(turnId);
      if (!turn?.sessionId) return;
      last = Math.max(last, (turn.firstSeq ?? 1) - 1);
      for (;;) {
        const page = await entries.after(turn.sessionId, last, pageSize);
        for (const entry of page) {
          last = entry.seq;
          if ("runId" in entry && entry.runId === turnId) step(entry);
        }
        if (page.length < pageSize) return;
      }
    }
    async function drain(): Promise<void> {
      do {
        again = false;
        await read();
      } while (again);
      reading = undefined;
    }
    return {
      /** What came since; does not wait. */
      look(): void {
        if (after === undefined) return;
        again = true;
        // What cannot be read now is read at the end, where it is told.
        reading ??= drain().catch(() => void (reading = undefined));
      },
      async settle(): Promise<void> {
        if (after === undefined) return;
        await reading;
        await read();
      },
    };
  }
}

/** What was asked before somebody listened is told as well, and each question once. */
function tellOnce({ tell }: RunReader): (event: TurnEvent) => void {
  const asked = new Set<string>();
  return (event) => {
    if (event.type === "approval-asked") {
      if (asked.has(event.approval.id)) return;
      asked.add(event.approval.id);
    }
    tell(event);
  };
}

const isStep = ({ type }: TurnEvent): boolean =>
  type === "tool-call-start" || type === "tool-call-end" || type === "complete";

/** Rejects when the caller disconnects, or the gateway stops. `forget` removes the listeners. */
function aborted(signal: AbortSignal, stopping: AbortSignal): { promise: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () =>
    reject(
      stopping.aborted
        ? failure("gateway/stopped", "gateway.stopped", {}, { hint: "gateway.stopped.hint" })
        : signal.reason,
    );
  if (signal.aborted || stopping.aborted) leave();
  const forgets = [onAbort(signal, leave), onAbort(stopping, leave)];
  return {
    promise,
    forget() {
      for (const forget of forgets) forget();
    },
  };
}

const hasEnded = ({ state }: TurnRecord): boolean =>
  state === "done" || state === "failed" || state === "dead";

/** How an event is told over the wire; undefined for what is nobody else's affair. */
export function describeEvent(
  event: TurnEvent,
): { event: string; payload: Record<string, unknown> } | undefined {
  switch (event.type) {
    case "text-delta":
      return { event: "agent.delta", payload: { delta: event.text } };
    case "thinking-delta":
      return { event: "agent.thinking", payload: { delta: event.text } };
    case "block":
      return { event: "agent.block", payload: { text: event.text } };
    case "start-over":
      return { event: "agent.start_over", payload: { reason: event.reason } };
    case "tool-call-start":
      return { event: "agent.tool_call", payload: { call: event.call } };
    case "tool-call-end":
      return { event: "agent.tool_result", payload: { call: event.call, result: event.result } };
    case "approval-asked":
      return { event: "agent.approval", payload: { approval: event.approval } };
    case "approval-answered":
      return { event: "agent.approval_answered", payload: { id: event.id, state: event.state } };
    default:
      return undefined;
  }
}
