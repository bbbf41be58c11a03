/** The gateway's answers about runs that somebody waits for: begin one, wait for it, stop it. */
import type { MethodParams, ScopeDefaults } from "@pincer/sdk";
import type { MethodCall, MethodHandlers } from "../method-calls.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { isOwner, type Caller } from "../../policy/caller.ts";
import { holds } from "../../policy/permission-points.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { EntryStore } from "../../storage/stores.ts";
import type { InboxStore } from "../../storage/inbox/inbox.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import type { AskAnswer } from "../../routing/ask-turn.ts";
import { askerOf, isOwnConversation } from "../../routing/asker.ts";
import type { Ask } from "../../routing/questions.ts";
import type { Engine } from "../../routing/engine.ts";
import type { Saying } from "../../agent/turns/run-events.ts";
import type { TurnWishes } from "../../agent/turns/turn-wishes.ts";
import { createRunFollower, describeEvent } from "./follow-run.ts";

export interface AgentMethodParts {
  engine: Engine;
  ask: Ask;
  lanes: Pick<Lanes, "abort">;
  turns: Pick<TurnStore, "get">;
  inbox: Pick<InboxStore, "get">;
  entries: Pick<EntryStore, "after">;
  /** What a session key leaves out. */
  home: ScopeDefaults;
  clock: Clock;
  say: Say;
  /** Sends an event to a connection; does nothing where it has gone. */
  push(connectionId: string, event: string, payload: object): void;
  /** Told of a stream that broke for no reason of its caller's; must not throw. */
  onError(error: unknown): void;
  /** Aborts when the gateway stops: nobody is kept waiting for a run that goes on after the next start. */
  stopping: AbortSignal;
}

type AgentMethods = Pick<
  MethodHandlers,
  "agent.run" | "agent.continue" | "agent.wait" | "agent.abort" | "tools.invoke"
>;

export function createAgentMethods(parts: AgentMethodParts): AgentMethods {
  const { engine, ask, lanes, turns, inbox, home, say, stopping } = parts;
  const follow = createRunFollower(parts);

  /** Throws for a run that is not there, and for one that is none of theirs. */
  function checkOwn(caller: Caller, runId: string, turn: Pick<TurnRecord, "sessionKey"> | undefined): void {
    if (!turn) throw noRun(runId);
    if (isOwnConversation(caller, turn.sessionKey, home)) return;
    throw failure("permission/missing", "permission.foreign-run", { runId });
  }

  /** Undefined where it is a run of a turn. */
  async function commandAnswer(caller: Caller, runId: string): Promise<AskAnswer | undefined> {
    const row = (await turns.get(runId)) ? undefined : await inbox.get(runId);
    if (row?.state !== "command" || !row.asked) return undefined;
    checkOwn(caller, runId, row.asked.session);
    return engine.answer(runId);
  }

  /** After the answer: the caller has to know the run first. */
  async function streamLater({ connectionId, signal }: MethodCall, runId: string): Promise<void> {
    const tell = (event: string, payload: object) => parts.push(connectionId, event, { runId, ...payload });
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const isRun = (await turns.get(runId)) !== undefined;
      const whole = isRun
        ? await follow(runId, {
            signal,
            check: () => {},
            after: undefined,
            step: () => {},
            snapshot: ({ text }) => text !== "" && tell("agent.delta", { delta: text }),
            tell(event) {
              const told = describeEvent(event);
              if (told) tell(told.event, told.payload);
            },
          })
        : undefined;
      const answer = await engine.answer(runId, whole);
      tell(answer?.error ? "agent.failed" : "agent.completed", {});
    } catch (error) {
      // Its caller has gone, or the gateway stops: the run goes on.
      if (!signal.aborted && !stopping.aborted) parts.onError(error);
    }
  }

  return {
    async "agent.run"(params, call) {
      const { caller } = call;
      const {
        input,
        sessionKey,
        agentId,
        idempotencyKey,
        typed = false,
        pasted,
        language,
        stream,
        ...rest
      } = params;
      checkWishes(caller, rest);
      const { runId, duplicate, command } = await ask({
        ...askerOf(caller, channelOf(caller), named({ sessionKey, agentId }), home),
        input,
        wishes: wishesOf(rest),
        idempotencyKey,
        typed,
        direct: false,
        pasted,
        ...(language === undefined ? {} : { language }),
      });
      if (stream) void streamLater(call, runId);
      return { runId, duplicate, ...(command ? { command: command.name } : {}) };
    },

    async "agent.continue"(params, { caller }) {
      const { input, typed = false, pasted, sessionKey, agentId, runId, idempotencyKey, ...rest } = params;
      checkWishes(caller, rest);
      if (runId !== undefined) checkOwn(caller, runId, await turns.get(runId));
      const asked = await ask({
        ...askerOf(caller, channelOf(caller), named({ sessionKey, agentId }), home),
        // Without words of the asker, it is we who say it.
        ...(input === undefined
          ? { input: say("continue.words"), typed: true, pasted: [] }
          : { input, typed, pasted }),
        wishes: wishesOf(rest),
        idempotencyKey,
        direct: false,
        continues: runId === undefined ? {} : { runId },
      });
      return { runId: asked.runId, duplicate: asked.duplicate };
    },

    async "agent.wait"({ runId, stream, after }, { caller, signal, emit }) {
      const answered = await commandAnswer(caller, runId);
      if (answered) {
        emit("agent.completed", { runId });
        return answered;
      }
      const whole = await follow(runId, {
        signal,
        check: (turn) => checkOwn(caller, runId, turn),
        after,
        tell(event) {
          const told = stream ? describeEvent(event) : undefined;
          if (told) emit(told.event, { runId, ...told.payload });
        },
        step: (entry) => emit("agent.step", { runId, seq: entry.seq, entry }),
        ...(after === undefined
          ? {}
          : { snapshot: (saying: Saying) => emit("agent.snapshot", { runId, ...saying }) }),
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
