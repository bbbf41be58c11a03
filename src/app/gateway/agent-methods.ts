/** The gateway's answers about runs that somebody waits for: begin one, wait for it, stop it. */
import type { MethodParams } from "@pincer/sdk";
import type { TurnEvent } from "../../agent/turn-voice.ts";
import type { MethodHandlers } from "../../gateway/rpc.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { noLonger } from "../../infra/no-longer.ts";
import type { Say } from "../../infra/texts.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns.ts";
import type { Engine } from "../turns/engine.ts";
import type { TurnWishes } from "../turns/turn-wishes.ts";

export interface AgentMethodParts {
  engine: Engine;
  lanes: Pick<Lanes, "offer" | "abort">;
  turns: Pick<TurnStore, "get">;
  clock: Clock;
  say: Say;
  /** Aborts when the gateway stops: nobody is kept waiting for a run that goes on after the next start. */
  stopping: AbortSignal;
}

type AgentMethods = Pick<
  MethodHandlers,
  "agent.run" | "agent.continue" | "agent.wait" | "agent.abort" | "tools.invoke"
>;

export function createAgentMethods({
  engine,
  lanes,
  turns,
  clock,
  say,
  stopping,
}: AgentMethodParts): AgentMethods {
  return {
    async "agent.run"({ input, sessionKey, agentId, idempotencyKey, ...rest }) {
      const { turn, duplicate } = await engine.queue({
        input,
        wishes: wishesOf(rest),
        idempotencyKey,
        channel: "cli",
        direct: false,
        ...(sessionKey === undefined ? {} : { sessionKey }),
        ...(agentId === undefined ? {} : { agentId }),
      });
      if (!duplicate) lanes.offer(turn);
      return { runId: turn.turnId, duplicate };
    },

    async "agent.continue"({ input, sessionKey, agentId, runId, idempotencyKey, ...rest }) {
      const { turn, duplicate } = await engine.resume({
        input: input ?? say("continue.words"),
        wishes: wishesOf(rest),
        idempotencyKey,
        channel: "cli",
        direct: false,
        ...(sessionKey === undefined ? {} : { sessionKey }),
        ...(agentId === undefined ? {} : { agentId }),
        ...(runId === undefined ? {} : { runId }),
      });
      if (!duplicate) lanes.offer(turn);
      return { runId: turn.turnId, duplicate };
    },

    async "agent.wait"({ runId, stream }, { signal, emit }) {
      const asked = new Set<string>();
      const tell = (event: TurnEvent) => {
        // What was asked before somebody listened is told as well, and each question once.
        if (event.type === "approval-asked") {
          if (asked.has(event.approval.id)) return;
          asked.add(event.approval.id);
        }
        const told = describeEvent(event);
        if (told) emit(told.event, { runId, ...told.payload });
      };
      await untilEnded(runId, signal, stream ? tell : () => {});
      const answer = await engine.answer(runId);
      if (!answer) throw noRun(runId);
      emit(answer.error ? "agent.failed" : "agent.completed", { runId });
      return answer;
    },

    async "tools.invoke"(call, { signal }) {
      return engine.invoke(call, AbortSignal.any([signal, stopping]));
    },

    async "agent.abort"({ runId }) {
      return { aborted: await lanes.abort(runId, "client") };
    },
  };

  /** Listens first and looks then: an end in between is not missed. */
  async function untilEnded(
    runId: string,
    signal: AbortSignal,
    tell: (event: TurnEvent) => void,
  ): Promise<void> {
    const end = Promise.withResolvers<"ended" | "over">();
    const listener = { event: tell, ended: () => end.resolve("ended"), over: () => end.resolve("over") };
    const stopListening = engine.events.subscribe(runId, listener);
    const leaving = aborted(signal, stopping);
    leaving.promise.catch(() => undefined);
    const looking = new AbortController();
    try {
      for (const event of await engine.approvals.openOf(runId)) tell(event);
      for (;;) {
        const turn = await turns.get(runId);
        if (!turn) throw noRun(runId);
        if (hasEnded(turn)) return;
        // Looks again now and then: whoever ends a turn without telling must not keep anybody waiting for ever.
        const pause = clock.sleep(lookAgainMs, looking.signal).catch(() => undefined);
        if ((await Promise.race([end.promise, pause, leaving.promise])) === "ended") return;
      }
    } finally {
      stopListening();
      looking.abort(noLonger);
      leaving.forget();
    }
  }
}

const lookAgainMs = 5000;

type GivenWishes = Omit<TurnWishes, "tools"> & Pick<MethodParams<"agent.run">, "tools">;

const wishesOf = ({ tools, ...rest }: GivenWishes): TurnWishes => ({
  ...rest,
  ...(tools
    ? {
        tools: {
          enabled: tools.enabled ?? true,
          allow: tools.allow ?? [],
          ...(tools.maxSteps === undefined ? {} : { maxSteps: tools.maxSteps }),
        },
      }
    : {}),
});

/** Rejects when whoever waits has gone, or the gateway stops. `forget` takes the ears off. */
function aborted(signal: AbortSignal, stopping: AbortSignal): { promise: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () =>
    reject(
      stopping.aborted
        ? failure("gateway/stopped", "gateway.stopped", {}, { hint: "gateway.stopped.hint" })
        : signal.reason,
    );
  if (signal.aborted || stopping.aborted) leave();
  signal.addEventListener("abort", leave);
  stopping.addEventListener("abort", leave);
  return {
    promise,
    forget() {
      signal.removeEventListener("abort", leave);
      stopping.removeEventListener("abort", leave);
    },
  };
}

const hasEnded = ({ state }: TurnRecord): boolean =>
  state === "done" || state === "failed" || state === "dead";

function describeEvent(event: TurnEvent): { event: string; payload: Record<string, unknown> } | undefined {
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

const noRun = (runId: string) =>
  failure("usage/not-found", "runs.none", { id: runId }, { hint: "runs.none.hint" });
