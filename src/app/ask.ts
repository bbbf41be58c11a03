/** One question, one answer: what `pincer ask` and `pincer chat` do, by themselves or through the running gateway. */
import { asPincerError, type PastedRange, type PincerError } from "@pincer/sdk";
import type { TurnEvent } from "../agent/turn-voice.ts";
import { TurnStop } from "../agent/turn-run.ts";
import { systemClock } from "../infra/clock.ts";
import { failure, sayError } from "../infra/failure.ts";
import { createIds } from "../infra/ids.ts";
import type { Say } from "../infra/texts.ts";
import { createWaits, type Waits } from "../infra/waits.ts";
import type { RouteRequest } from "../routing/route-message.ts";
import { hasWorkedTooLong } from "../routing/supervise-run.ts";
import type { TurnRecord, TurnStore } from "../storage/turns/turns.ts";
import { describeError, unanswered as describeUnanswered, type AskAnswer } from "../routing/ask-turn.ts";
import type { Ask as Queue, AskInput } from "../routing/questions.ts";
import type { Engine } from "../routing/engine.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";

export interface AskRequest extends RouteRequest {
  input: string;
  wishes: TurnWishes;
  /** Goes on with the last turn of the session, with the input as the next words. */
  continues?: boolean;
  /** Whether a person typed it: then commands and rules in it are heard. */
  typed: boolean;
  /** What of it was pasted, dropped or piped in; left out where nobody can tell. */
  pasted?: readonly PastedRange[];
  signal: AbortSignal;
  onEvent?: (event: TurnEvent) => void;
  /** Told in words when another turn of the session is in the way. */
  onWait?: (message: string) => void;
}

/** Never throws: what went wrong is in the answer. */
export type Ask = (request: AskRequest) => Promise<AskAnswer>;

export interface DirectAskParts {
  engine: Engine;
  /** Stores the question and takes it on its way. */
  queue: Queue;
  /** The provider that the config names for the agent, for answers that did not get as far as a model. */
  configured(agentId: string | undefined): string | undefined;
  turns: Pick<TurnStore, "settleAbandoned">;
  /** How long a turn may work. */
  deadlineMs(): number;
  say: Say;
}

/** Runs the turn in this process, for as long as no gateway does. */
export function createDirectAsk({ engine, queue, configured, turns, deadlineMs, say }: DirectAskParts): Ask {
  return async function ask(request) {
    let turnId: string | undefined;
    try {
      const { turn, runId } = await queue(inputOf(request));
      if (!turn) return (await engine.answer(runId)) ?? nothingAnswered(request, undefined);
      ({ turnId } = turn);
      const stopListening = engine.events.subscribe(turnId, {
        event: (event) => request.onEvent?.(event),
        waiting: ({ holder, acquiredAt }) =>
          request.onWait?.(say("turn.waiting", { pid: holder.pid, since: acquiredAt })),
      });
      const watch = createWaits(systemClock);
      try {
        const signal = timely(turn, stoppable(request.signal), watch);
        let outcome = await engine.run(turn, signal);
        while (outcome.type === "waiting" && outcome.isAnswered) outcome = await engine.run(turn, signal);
        if (outcome.type === "waiting") return await putAside(request, turnId);
      } finally {
        watch.end();
        stopListening();
      }
      return (await engine.answer(turnId)) ?? nothingAnswered(request, undefined);
    } catch (thrown) {
      const mine = turnId;
      // Nobody will run it: left behind it would look as if somebody still might.
      if (mine) await turns.settleAbandoned((turn) => turn.turnId !== mine).catch(() => {});
      return nothingAnswered(
        request,
        thrown,
        mine ? await engine.answer(mine).catch(() => undefined) : undefined,
      );
    }
  };

  async function putAside(request: AskRequest, turnId: string): Promise<AskAnswer> {
    const soFar = (await engine.answer(turnId)) ?? nothingAnswered(request, undefined);
    const open = await engine.approvals.openOf(turnId);
    const ids = open.flatMap((event) => (event.type === "approval-asked" ? [event.approval.id] : []));
    return { ...soFar, result: say("turn.put-aside", { ids: ids.join(", ") }) };
  }

  /** Nobody else watches it: here, too, it ends when it has worked too long. */
  function timely(turn: TurnRecord, stopped: AbortSignal, watch: Waits): AbortSignal {
    const late = new AbortController();
    const limits = { turn, clock: systemClock, deadlineMs, waitedMs: engine.approvals.waitedMs };
    void hasWorkedTooLong(limits, watch).then((isLate) => isLate && late.abort(new TurnStop("overdue")));
    return AbortSignal.any([stopped, late.signal]);
  }

  function nothingAnswered(request: AskRequest, thrown: unknown, soFar?: AskAnswer): AskAnswer {
    const error = request.signal.aborted
      ? failure("turn/aborted", "failure.aborted", {}, { cause: thrown })
      : asPincerError(thrown);
    const blank = describeUnanswered(request, error, {
      ids: createIds(),
      clock: systemClock,
      words: engine.words,
      configured: configured(request.agentId),
    });
    return soFar ? { ...soFar, result: engine.words(error), error: describeError(error) } : blank;
  }
}

/** The answer where the home could not even be opened, or the gateway refused: complete like any other. */
export function unanswered(
  request: AskRequest,
  thrown: unknown,
  { say, configured }: { say: Say; configured?: string | undefined },
): AskAnswer {
  const words = (error: PincerError) => {
    const { message, hint } = sayError(error, say);
    return [message, hint].filter(Boolean).join("\n");
  };
  return describeUnanswered(request, thrown, { ids: createIds(), clock: systemClock, words, configured });
}

const inputOf = (request: AskRequest): AskInput => {
  const { input, sessionKey, agentId, wishes, typed, pasted, continues } = request;
  return {
    input,
    wishes,
    typed,
    channel: "cli",
    direct: true,
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(pasted === undefined ? {} : { pasted }),
    ...(continues ? { continues: {} } : {}),
  };
};

/** A client that closes its request stops its turn. */
function stoppable(signal: AbortSignal): AbortSignal {
  const stop = new AbortController();
  const leave = () => stop.abort(new TurnStop("client"));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  return stop.signal;
}
