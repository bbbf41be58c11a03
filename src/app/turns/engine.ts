/**
 * What runs turns, whoever wants them run: the command that asks once, and the gateway that runs for months. It stands on an open
 * ground, reads the config as it is at the moment, and leaves to its owner when a turn runs and who is told.
 */
import type { Entry, Model, PincerError, Tool } from "@pincer/sdk";
import { createTurnRunner, type TurnRunnerParts, type TurnWatch } from "../../agent/turn-runner.ts";
import type { RunTurn } from "../../agent/turn-run.ts";
import type { Config } from "../../config/schema.ts";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { withManualToolCalls } from "../../models/manual-tool-calls.ts";
import { createStubModel } from "../../models/stub-model.ts";
import { routeMessage, type Route, type RouteRequest } from "../../routing/route-message.ts";
import type { Ground, GroundParts } from "../open-ground.ts";
import { answerOf, queueAsk, type AskAnswer, type AskInput } from "./ask-turn.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";
import { createTurnSetups, wishesOf, type TurnSetups, type TurnWishes } from "./set-up-turn.ts";

export interface EngineParts {
  ground: Ground;
  parts: GroundParts;
  config(): Config;
  /** Asked before the stub: the first is used where nothing else is configured. */
  models?: readonly Model[];
  tools?: readonly Tool[];
  /** What holds for every turn that does not say otherwise. */
  wishes?: TurnWishes;
  /** How a turn's words leave the house; without it nobody but the asker sees them. */
  delivery?: Pick<TurnRunnerParts, "drafts" | "isStale" | "noticeOf">;
  /** Besides those who subscribe to a run. */
  watch?: TurnWatch;
}

export interface Engine {
  run: RunTurn;
  events: RunEvents;
  setups: TurnSetups;
  route(request: RouteRequest): Route;
  /** Throws PincerError; see `queueAsk`. */
  queue(input: AskInput): ReturnType<typeof queueAsk>;
  /** What a run came to; undefined when there is none of that id. */
  answer(turnId: string): Promise<AskAnswer | undefined>;
  /** An error in words, with what to do next. */
  words(error: PincerError): string;
}

export function createEngine({ ground, parts, config, delivery, ...rest }: EngineParts): Engine {
  const { clock, ids, stores, tenantId, workspaceId } = ground;
  const { say } = parts;
  const makeCallId = () => ids.make("call");
  const models = [...(rest.models ?? []), createStubModel(say)].map((model) =>
    withManualToolCalls(model, makeCallId),
  );
  const setups = createTurnSetups({
    config,
    clock,
    say,
    notify: parts.notify,
    environment: parts.environment,
    homeRoot: ground.home.root,
    cwd: parts.cwd,
    models,
    extraTools: rest.tools ?? [],
  });
  const events = createRunEvents();
  const words = (error: PincerError) => {
    const { message, hint } = sayError(error, say);
    return [message, hint].filter(Boolean).join("\n");
  };

  const run = createTurnRunner({
    turns: stores.turns,
    entries: stores.entries,
    leases: ground.leases,
    clock,
    redactor: parts.redactor,
    mirror: ground.mirror,
    setUp(turn) {
      const layer = turn.destination ? setups.wishesOf(turn.destination.channel) : {};
      const wishes = { ...rest.wishes, ...layer, ...wishesOf(turn) };
      return setups.setUp(turn.agentId, wishes, turn.sessionKey);
    },
    isStale: delivery?.isStale ?? (() => false),
    deadlineMs: turnDeadlineMs,
    drafts: delivery?.drafts ?? (() => []),
    noticeOf: delivery?.noticeOf ?? (() => undefined),
    texts: { ...turnTexts(say), failed: words },
    watch: together(events.watch, rest.watch),
  });

  const route = (request: RouteRequest) =>
    routeMessage(request, {
      tenantId,
      workspaceId,
      defaultAgentId: ground.defaultAgentId,
      agentIds: config().agents.list.map((agent) => agent.id),
    });

  return {
    run,
    events,
    setups,
    route,
    words,
    queue: (input) =>
      queueAsk(
        { turns: stores.turns, tenantId, workspaceId, clock, ids, redactor: parts.redactor, route, setups },
        { ...input, wishes: { ...rest.wishes, ...input.wishes } },
      ),
    async answer(turnId) {
      const turn = await stores.turns.get(turnId);
      if (!turn) return undefined;
      const session = turn.sessionId === null ? undefined : await stores.sessions.get(turn.sessionId);
      const entries: Entry[] = session ? await stores.turns.entries(turnId) : [];
      return answerOf(turn, session, entries);
    },
  };
}

/** Longer than any tool should take; what hangs longer is stopped by whoever watches the turns. */
export const turnDeadlineMs = 15 * 60_000;

const turnTexts = (say: Say): Omit<TurnRunnerParts["texts"], "failed"> => ({
  stepLimit: (steps) => say("turn.step-limit", { steps }),
  modelFailed: (reason) => say("turn.model-failed", { reason }),
  aborted: (by) =>
    say(by === "overdue" ? "turn.overdue" : by === "interrupt" ? "turn.interrupted" : "turn.aborted"),
});

function together(first: RunEvents["watch"], second: TurnWatch | undefined): TurnWatch {
  if (!second) return first;
  return {
    begun(turn, session) {
      first.begun(turn, session);
      second.begun?.(turn, session);
    },
    event(turn, event) {
      first.event(turn, event);
      second.event?.(turn, event);
    },
    waiting(turn, lease) {
      first.waiting(turn, lease);
      second.waiting?.(turn, lease);
    },
    async ending(turn) {
      await second.ending?.(turn);
    },
    ended(turn, outbox) {
      // The messages go on their way before anybody else is told.
      second.ended?.(turn, outbox);
      first.ended(turn, outbox);
    },
  };
}
