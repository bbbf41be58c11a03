/** The agent's service over a connection to its gateway. */
import type { ApprovalView, CoreEvent, CoreService, ToolCallBlock, ToolResult } from "@pincer/sdk";
import { createEventQueue } from "../infra/event-queue.ts";
import type { GatewayClient } from "./gateway-client.ts";

export function createCoreService(client: Pick<GatewayClient, "request">): CoreService {
  async function* follow(runId: string): AsyncGenerator<CoreEvent> {
    const queue = createEventQueue<CoreEvent | { type: "thrown"; error: unknown }>();
    const left = new AbortController();
    const onEvent = (event: string, payload: unknown) => {
      const told = coreEventOf(event, payload);
      if (told) queue.push(told);
    };
    client.request("agent.wait", { runId, stream: true }, { onEvent, signal: left.signal }).then(
      (answer) => queue.push({ type: "ended", runId, answer }),
      (error: unknown) => queue.push({ type: "thrown", error }),
    );
    try {
      // Listening has started already: a caller that acts on this misses nothing.
      yield { type: "started", runId };
      for await (const event of queue.items()) {
        if (event.type === "thrown") throw event.error;
        yield event;
        if (event.type === "ended") return;
      }
    } finally {
      left.abort();
    }
  }

  return {
    async *run(request) {
      yield* follow((await client.request("agent.run", request)).runId);
    },
    async *continue(request) {
      yield* follow((await client.request("agent.continue", request)).runId);
    },
    async abort(runId) {
      await client.request("agent.abort", { runId });
    },
  };
}

interface EventPayload {
  delta: string;
  text: string;
  reason: string;
  call: ToolCallBlock;
  result: ToolResult;
  approval: ApprovalView;
  id: string;
  state: ApprovalView["state"];
}

/** What a gateway tells of a run; undefined for what is not part of it. */
export function coreEventOf(
  event: string,
  payload: unknown,
): Exclude<CoreEvent, { type: "started" | "ended" }> | undefined {
  const { delta, text, reason, call, result, approval, id, state } = payload as EventPayload;
  switch (event) {
    case "agent.delta":
      return { type: "text-delta", text: delta };
    case "agent.thinking":
      return { type: "thinking-delta", text: delta };
    case "agent.block":
      return { type: "block", text };
    case "agent.start_over":
      return { type: "start-over", reason };
    case "agent.tool_call":
      return { type: "tool-call-start", call };
    case "agent.tool_result":
      return { type: "tool-call-end", call, result };
    case "agent.approval":
      return { type: "approval-asked", approval };
    case "agent.approval_answered":
      return { type: "approval-answered", id, state };
    default:
      return undefined;
  }
}
