/**
 * Runs turns for every caller: the command that asks once, and the gateway that runs for months. It stands on an open
 * home, reads the config as it is at the moment, and leaves to its owner when a turn runs and who is told.
 */
import type { PincerError, ToolResult } from "@pincer/sdk";
import type { RunTurn } from "../agent/turn-run.ts";
import type { DescribeContext } from "../agent/context/context-description.ts";
import type { RunEvents } from "../agent/turns/run-events.ts";
import type { TurnSetups } from "../agent/turns/set-up-turn.ts";
import type { Approvals } from "../gate/approvals/create-approvals.ts";
import type { ExplainCall } from "../gate/explain-call.ts";
import type { RecalledTurn } from "../storage/turns/turns.ts";
import { answerOf, commandAnswerOf, type AskAnswer } from "./ask-turn.ts";
import { createDescribeContext } from "./describe-session.ts";
import type { OpenLabels } from "../gate/labels/open-labels.ts";
import { routeMessage, type Route, type RouteRequest } from "./route-message.ts";
import { createExplainCall, createInvokeTool, type InvokedTool } from "./try-call.ts";
import { buildTurnMachinery, type EngineParts } from "./turn-machinery.ts";

export interface Engine {
  run: RunTurn;
  events: RunEvents;
  /** Where calls wait for the owner. */
  approvals: Approvals;
  setups: TurnSetups;
  /** What is known of files. */
  labels: OpenLabels;
  route(request: RouteRequest): Route;
  /** What a run came to, or what a command answered; undefined when there is none of that id. `known`: all of it, where it is at hand. */
  answer(runId: string, known?: RecalledTurn): Promise<AskAnswer | undefined>;
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
  const { ids, stores, tenantId, workspaceId, sessionMemory } = openedHome;
  const { say } = parts.parts;
  const { effects, allWishes, ...machinery } = buildTurnMachinery(parts);
  const { setups } = machinery;

  const route = (request: RouteRequest) =>
    routeMessage(request, {
      tenantId,
      workspaceId,
      defaultAgentId: openedHome.defaultAgentId,
      agentIds: config().agents.list.map((agent) => agent.id),
    });

  return {
    ...machinery,
    route,
    describeContext: createDescribeContext({ stores, workspaceId, setups, route, allWishes, say }),
    explain: createExplainCall({ stores, workspaceId, config, setups, route, allWishes }),
    invoke: createInvokeTool({ ids, setups, effects, route, wishes: usual }),
    async answer(runId, known) {
      const found = known ?? (await stores.turns.recall(runId));
      if (found) return answerOf(found.turn, found.session, found.entries, sessionMemory.fileOf);
      const row = await stores.inbox.get(runId);
      return row?.state === "command" && row.asked ? commandAnswerOf(row) : undefined;
    },
  };
}
