/**
 * What runs turns, whoever wants them run: the command that asks once, and the gateway that runs for months. It stands on an open
 * home, reads the config as it is at the moment, and leaves to its owner when a turn runs and who is told.
 */
import type { PincerError, ToolResult } from "@pincer/sdk";
import { beginningOf } from "../agent/claim-of.ts";
import type { RunTurn } from "../agent/turn-run.ts";
import type { DescribeContext } from "../agent/context/context-description.ts";
import type { RunEvents } from "../agent/turns/run-events.ts";
import type { TurnSetups } from "../agent/turns/set-up-turn.ts";
import type { Approvals } from "../gate/approvals/create-approvals.ts";
import type { ExplainCall } from "../gate/explain-call.ts";
import type { BeginTurn, RecalledTurn } from "../storage/turns/turns.ts";
import {
  answerOf,
  queueAsk,
  type AskAnswer,
  type AskInput,
  type MayBegin,
  type QueuedAsk,
} from "./ask-turn.ts";
import { queueContinue, type ContinueInput } from "./continue-turn.ts";
import { createDescribeContext } from "./describe-session.ts";
import { routeMessage, type Route, type RouteRequest } from "./route-message.ts";
import { createExplainCall, createInvokeTool, type InvokedTool } from "./try-call.ts";
import { buildTurnMachinery, type EngineParts } from "./turn-machinery.ts";

export interface Engine {
  run: RunTurn;
  events: RunEvents;
  /** Where calls wait for the owner. */
  approvals: Approvals;
  setups: TurnSetups;
  route(request: RouteRequest): Route;
  /** Throws PincerError; see `queueAsk`. */
  queue(input: AskInput, mayBegin?: MayBegin): Promise<QueuedAsk>;
  /** How a turn of that session could begin with the transaction that stores it; see `beginningOf`. */
  beginning(session: Parameters<MayBegin>[0], turn: Pick<BeginTurn, "turnId" | "told">): BeginTurn;
  /** Throws PincerError; see `queueContinue`. */
  resume(input: ContinueInput): ReturnType<typeof queueContinue>;
  /** What a run came to; undefined when there is none of that id. `known`: all of it, for whoever has it at hand. */
  answer(turnId: string, known?: RecalledTurn): Promise<AskAnswer | undefined>;
  /** What the next request of a session would hold. */
  describeContext: DescribeContext;
  /** What the gate would make of a call, without running it or asking anybody. Throws PincerError for a tool that is not there. */
  explain: ExplainCall;
  /** Runs a tool by the owner's own hand, without a turn. Throws PincerError for an agent or a workdir that is not there, never for what the tool does. */
  invoke(call: InvokedTool, signal: AbortSignal): Promise<ToolResult>;
  /** An error in words, with what to do next. */
  words(error: PincerError): string;
}

export function createEngine(parts: EngineParts): Engine {
  const { openedHome, config, wishes: usual } = parts;
  const { clock, ids, stores, tenantId, workspaceId, sessionMemory } = openedHome;
  const { redactor, say } = parts.parts;
  const { claiming, effects, allWishes, ...machinery } = buildTurnMachinery(parts);
  const { setups } = machinery;

  const route = (request: RouteRequest) =>
    routeMessage(request, {
      tenantId,
      workspaceId,
      defaultAgentId: openedHome.defaultAgentId,
      agentIds: config().agents.list.map((agent) => agent.id),
    });

  const { turns } = stores;
  const asking = { turns, tenantId, workspaceId, clock, ids, redactor, route, setups };

  return {
    ...machinery,
    route,
    describeContext: createDescribeContext({ stores, workspaceId, setups, route, allWishes, say }),
    explain: createExplainCall({ stores, workspaceId, config, setups, route, allWishes }),
    invoke: createInvokeTool({ ids, setups, effects, route, wishes: usual }),
    queue: (input, mayBegin) =>
      queueAsk(asking, { ...input, wishes: { ...usual, ...input.wishes } }, mayBegin),
    beginning: (session, turn) => beginningOf(claiming, session, turn),
    resume: (input) => queueContinue(asking, input),
    async answer(turnId, known) {
      const found = known ?? (await stores.turns.recall(turnId));
      return found && answerOf(found.turn, found.session, found.entries, sessionMemory.fileOf);
    },
  };
}
