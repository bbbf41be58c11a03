/**
 * What runs turns, whoever wants them run: the command that asks once, and the gateway that runs for months. It stands on an open
 * ground, reads the config as it is at the moment, and leaves to its owner when a turn runs and who is told.
 */
import type { Model, PincerError, Tool } from "@pincer/sdk";
import { createTurnRunner, type TurnRunnerParts, type TurnWatch } from "../../agent/turn-runner.ts";
import type { RunTurn } from "../../agent/turn-run.ts";
import type { Config } from "../../config/schema.ts";
import { sayError } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { routeMessage, type Route, type RouteRequest } from "../../routing/route-message.ts";
import { systemMessage } from "../../routing/system-message.ts";
import type { InboxRow } from "../../storage/inbox.ts";
import type { Ground, GroundParts } from "../open-ground.ts";
import { createAgentRegistry } from "../agents/agent-registry.ts";
import { createTurnModels, type ConnectedModels } from "../models/turn-models.ts";
import { answerOf, queueAsk, type AskAnswer, type AskInput } from "./ask-turn.ts";
import { queueContinue, type ContinueInput } from "./continue-turn.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";
import { createTurnSetups, wishesOf, type TurnSetups, type TurnWishes } from "./set-up-turn.ts";

export interface EngineParts {
  ground: Ground;
  parts: GroundParts;
  config(): Config;
  /** Models that are simply there: the first is used for every turn that names no other. */
  models?: readonly Model[];
  /** Models that have to be asked over a network. */
  connected: ConnectedModels;
  tools?: readonly Tool[];
  /** What holds for every turn that does not say otherwise. */
  wishes?: TurnWishes;
  /** How a turn's words leave the house; without it nobody but the asker sees them. */
  delivery?: Pick<TurnRunnerParts, "drafts" | "isStale" | "noticeOf">;
  /** Besides those who subscribe to a run. */
  watch?: TurnWatch;
  /** A message that the product sent itself is in the inbox; without it the next gateway takes it up. */
  received?(row: InboxRow): void;
}

export interface Engine {
  run: RunTurn;
  events: RunEvents;
  setups: TurnSetups;
  route(request: RouteRequest): Route;
  /** Throws PincerError; see `queueAsk`. */
  queue(input: AskInput): ReturnType<typeof queueAsk>;
  /** Throws PincerError; see `queueContinue`. */
  resume(input: ContinueInput): ReturnType<typeof queueContinue>;
  /** What a run came to; undefined when there is none of that id. */
  answer(turnId: string): Promise<AskAnswer | undefined>;
  /** An error in words, with what to do next. */
  words(error: PincerError): string;
}

export function createEngine({ ground, parts, config, delivery, ...rest }: EngineParts): Engine {
  const { clock, ids, stores, tenantId, workspaceId } = ground;
  const { say } = parts;
  const agents = createAgentRegistry({
    config,
    clock,
    environment: parts.environment,
    home: ground.home,
    cwd: parts.cwd,
    extraTools: rest.tools ?? [],
  });
  const models = createTurnModels({
    given: rest.models ?? [],
    connected: rest.connected,
    say,
    makeCallId: () => ids.make("call"),
  });
  const setups = createTurnSetups({
    config,
    agents,
    models,
    say,
    async late({ turnId, workspaceId: inSpace, sessionKey, destination }, call, text, id) {
      const { row, type } = await stores.inbox.accept(
        systemMessage({
          tenantId,
          workspaceId: inSpace,
          id: `${turnId}:${id}`,
          from: `tool:${call.name}`,
          sessionKey,
          destination,
          text: parts.redactor.text(text),
          now: clock.now(),
        }),
      );
      if (type === "stored") rest.received?.(row);
    },
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
    setUp(turn, session) {
      const layer = turn.destination ? setups.wishesOf(turn.destination.channel) : {};
      const wishes = { ...rest.wishes, ...layer, ...wishesOf(turn) };
      return setups.setUp(turn, session, wishes);
    },
    isStale: delivery?.isStale ?? (() => false),
    deadlineMs: turnDeadlineMs,
    drafts: delivery?.drafts ?? (() => []),
    noticeOf: delivery?.noticeOf ?? (() => undefined),
    // What is wrong inside, and where, is the owner's to know; the owner gets a notice.
    textsFor: ({ role }) =>
      role === "peer" ? { ...turnTexts(say), ...briefTexts(say) } : { ...turnTexts(say), failed: words },
    watch: together(events.watch, rest.watch),
  });

  const route = (request: RouteRequest) =>
    routeMessage(request, {
      tenantId,
      workspaceId,
      defaultAgentId: ground.defaultAgentId,
      agentIds: config().agents.list.map((agent) => agent.id),
    });

  const { turns } = stores;
  const asking = { turns, tenantId, workspaceId, clock, ids, redactor: parts.redactor, route, setups };

  return {
    run,
    events,
    setups,
    route,
    words,
    queue: (input) => queueAsk(asking, { ...input, wishes: { ...rest.wishes, ...input.wishes } }),
    resume: (input) => queueContinue(asking, input),
    async answer(turnId) {
      const found = await stores.turns.recall(turnId);
      return found && answerOf(found.turn, found.session, found.entries);
    },
  };
}

/** Longer than any tool should take; what hangs longer is stopped by whoever watches the turns. */
export const turnDeadlineMs = 15 * 60_000;

type Texts = ReturnType<TurnRunnerParts["textsFor"]>;

const briefTexts = (say: Say): Pick<Texts, "modelFailed" | "overBudget" | "failed"> => ({
  modelFailed: () => say("turn.model-failed.brief"),
  overBudget: () => say("turn.over-budget.brief"),
  failed: () => say("turn.failed.brief"),
});

const turnTexts = (say: Say): Omit<Texts, "failed"> => ({
  stepLimit: (steps) => say("turn.step-limit", { steps }),
  repeatedCalls: (tool, times) => say("turn.repeated-calls", { tool, times }),
  cut: () => say("turn.cut"),
  modelFailed: (reason) => say("turn.model-failed", { reason }),
  overBudget: (reason) => reason,
  answeredNothing: () => say("turn.answered-nothing"),
  brokeOff: () => say("turn.broke-off"),
  thenContinue: () => say("turn.then-continue"),
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
