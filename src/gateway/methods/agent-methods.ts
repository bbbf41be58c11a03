/** The gateway's answers about runs that somebody waits for: begin one, wait for it, stop it. */
import type { MethodParams, ScopeDefaults } from "@pincer/sdk";
import type { MethodHandlers } from "../method-calls.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { isOwner, type Caller } from "../../policy/caller.ts";
import { holds } from "../../policy/permission-points.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { EntryStore } from "../../storage/stores.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import { askerOf, isOwnConversation } from "../../routing/asker.ts";
import type { Engine } from "../../routing/engine.ts";
import type { TurnWishes } from "../../agent/turns/turn-wishes.ts";
import { askAtOnce } from "./ask-at-once.ts";
import { createRunFollower, describeEvent } from "./follow-run.ts";

export interface AgentMethodParts {
  engine: Engine;
  lanes: Pick<Lanes, "offer" | "reserve" | "abort">;
  turns: Pick<TurnStore, "get">;
  entries: Pick<EntryStore, "after">;
  /** What a session key leaves out. */
  home: ScopeDefaults;
  clock: Clock;
  say: Say;
  /** Aborts when the gateway stops: nobody is kept waiting for a run that goes on after the next start. */
  stopping: AbortSignal;
}

type AgentMethods = Pick<
  MethodHandlers,
  "agent.run" | "agent.continue" | "agent.wait" | "agent.abort" | "tools.invoke"
>;

export function createAgentMethods(parts: AgentMethodParts): AgentMethods {
  const { engine, lanes, turns, home, say, stopping } = parts;
  const follow = createRunFollower(parts);

  /** Throws for a run that is not there, and for one that is none of theirs. */
  function checkOwn(caller: Caller, runId: string, turn: TurnRecord | undefined): void {
    if (!turn) throw noRun(runId);
    if (isOwnConversation(caller, turn.sessionKey, home)) return;
    throw failure("permission/missing", "permission.foreign-run", { runId });
  }

  return {
    async "agent.run"({ input, sessionKey, agentId, idempotencyKey, ...rest }, { caller }) {
      checkWishes(caller, rest);
      const asked = named({ sessionKey, agentId });
      const { turn, duplicate, start } = await askAtOnce(parts, {
        ...askerOf(caller, channelOf(caller), asked, home),
        input,
        wishes: wishesOf(rest),
        idempotencyKey,
        direct: false,
      });
      start();
      return { runId: turn.turnId, duplicate };
    },

    async "agent.continue"({ input, sessionKey, agentId, runId, idempotencyKey, ...rest }, { caller }) {
      checkWishes(caller, rest);
      if (runId !== undefined) checkOwn(caller, runId, await turns.get(runId));
      const asked = named({ sessionKey, agentId });
      const { turn, duplicate } = await engine.resume({
        ...askerOf(caller, channelOf(caller), asked, home),
        input: input ?? say("continue.words"),
        wishes: wishesOf(rest),
        idempotencyKey,
        direct: false,
        ...(runId === undefined ? {} : { runId }),
      });
      if (!duplicate) lanes.offer(turn);
      return { runId: turn.turnId, duplicate };
    },

    async "agent.wait"({ runId, stream, after }, { caller, signal, emit }) {
      const whole = await follow(runId, {
        signal,
        check: (turn) => checkOwn(caller, runId, turn),
        after,
        tell(event) {
          const told = stream ? describeEvent(event) : undefined;
          if (told) emit(told.event, { runId, ...told.payload });
        },
        step: (entry) => emit("agent.step", { runId, seq: entry.seq, entry }),
        snapshot: (saying) => emit("agent.snapshot", { runId, ...saying }),
      });
      const answer = await engine.answer(runId, whole);
      if (!answer) throw noRun(runId);
      emit(answer.error ? "agent.failed" : "agent.completed", { runId });
      return answer;
    },

    async "tools.invoke"(call, { signal }) {
      return engine.invoke(call, AbortSignal.any([signal, stopping]));
    },

    async "agent.abort"({ runId }, { caller }) {
      checkOwn(caller, runId, await turns.get(runId));
      return { aborted: await lanes.abort(runId, "client") };
    },
  };
}

/** Which model answers is for those to choose who may set it; where it works, with what and how it is told is the owner's to say. */
function checkWishes(caller: Caller, wishes: object): void {
  if (isOwner(caller)) return;
  const free = holds(caller.role, "models.policy") ? [...freeWishes, "provider", "model"] : freeWishes;
  const foreign = Object.keys(wishes).find((name) => !free.includes(name));
  if (foreign !== undefined) {
    throw failure("permission/missing", "permission.owner-wish", { wish: foreign });
  }
}

const freeWishes: readonly string[] = ["newSession", "memory", "compact"];

/** Where a question comes from: a terminal, or a page or program at a distance. */
const channelOf = ({ way }: Caller): string => (way === "socket" ? "cli" : "web");

const named = ({ sessionKey, agentId }: { sessionKey: string | undefined; agentId: string | undefined }) => ({
  ...(sessionKey === undefined ? {} : { sessionKey }),
  ...(agentId === undefined ? {} : { agentId }),
});

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

const noRun = (runId: string) =>
  failure("usage/not-found", "runs.none", { id: runId }, { hint: "runs.none.hint" });
