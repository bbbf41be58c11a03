/**
 * The devices and programs that offer capabilities to the gateway while they are connected. All of it is in memory: a
 * node belongs to its connection, and after a restart each registers again. The answers of a node are the words of its
 * operator, and are labelled as such.
 */
import { createHash } from "node:crypto";
import type { GatewayEvent, MethodParams, NodeInvocation, NodeView } from "@pincer/sdk";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import type { MethodHandlers } from "../method-calls.ts";

/** The connections of the gateway, by their id. */
export interface Connections {
  /** False when nobody is there any more. */
  push(connectionId: string, event: string, payload: unknown): boolean;
  /** Called once, when the connection closes; at once where there is none. */
  onClose(connectionId: string, then: () => void): void;
}

export interface NodeRegistryParts {
  connections: Connections;
  publish(event: Extract<GatewayEvent, { event: "node.attached" | "node.gone" }>): void;
  clock: Clock;
  ids: Ids;
}

export type NodeMethods = Pick<
  MethodHandlers,
  "nodes.register" | "nodes.list" | "nodes.invoke" | "nodes.result"
>;

interface Node {
  view: NodeView;
  connectionId: string;
  /** What it was asked and has not answered. */
  waiting: Map<string, (answer: Answer) => void>;
}

type Answer = { type: "answered"; ok: boolean; payload: unknown; error: string } | { type: "gone" };

const mostNodes = 100;
const mostWaiting = 32;
const largestArgumentsBytes = 256 * 1024;
const usualTimeoutMs = 30_000;

export function createNodeMethods({ connections, publish, clock, ids }: NodeRegistryParts): NodeMethods {
  const nodes = new Map<string, Node>();

  /** Callers that wait for it are told at once. Does nothing for one that was replaced. */
  function remove(node: Node): void {
    for (const settle of node.waiting.values()) settle({ type: "gone" });
    node.waiting.clear();
    if (nodes.get(node.view.id) !== node) return;
    nodes.delete(node.view.id);
    publish({ event: "node.gone", payload: { id: node.view.id, name: node.view.name } });
  }

  const heldBy = (connectionId: string): Node | undefined =>
    [...nodes.values()].find((node) => node.connectionId === connectionId);

  async function register(
    { name, platform, version, commands }: MethodParams<"nodes.register">,
    { callerId, connectionId }: { callerId: string; connectionId: string },
  ): Promise<{ nodeId: string }> {
    const id = nodeIdOf(callerId, name);
    const before = new Set([nodes.get(id), heldBy(connectionId)].filter((node) => node !== undefined));
    if (nodes.size - before.size >= mostNodes) {
      throw failure("tool/failed", "nodes.too-many", { most: mostNodes }, { hint: "nodes.too-many.hint" });
    }
    for (const node of before) remove(node);
    const view = { id, name, platform, version, commands, by: callerId, since: timestamp(clock) };
    const node: Node = { view, connectionId, waiting: new Map() };
    nodes.set(id, node);
    publish({ event: "node.attached", payload: { id, name } });
    connections.onClose(connectionId, () => remove(node));
    return { nodeId: id };
  }

  async function invoke(
    { nodeId, command, arguments: given = {}, timeoutMs = usualTimeoutMs }: MethodParams<"nodes.invoke">,
    signal: AbortSignal,
  ): Promise<{ payload: unknown }> {
    const node = nodes.get(nodeId);
    if (!node) throw failure("usage/not-found", "nodes.none", { nodeId }, { hint: "nodes.none.hint" });
    const { name } = node.view;
    if (!node.view.commands.some((each) => each.name === command)) {
      throw failure("usage/not-found", "nodes.no-command", { name, command }, { hint: "nodes.none.hint" });
    }
    if (Buffer.byteLength(JSON.stringify(given)) > largestArgumentsBytes) {
      throw failure("usage/bad-argument", "nodes.too-large", { limit: largestArgumentsBytes });
    }
    if (node.waiting.size >= mostWaiting) {
      throw failure("tool/failed", "nodes.busy", { name }, { hint: "nodes.busy.hint" });
    }
    const invocation: NodeInvocation = { callId: ids.make("nc"), command, arguments: given, timeoutMs };
    const answer = await ask(node, invocation, signal);
    if (answer.type === "gone")
      throw failure("tool/failed", "nodes.gone", { name }, { hint: "nodes.none.hint" });
    if (!answer.ok) throw failure("tool/failed", "nodes.failed", { name, reason: answer.error });
    return { payload: answer.payload };
  }

  async function ask(node: Node, invocation: NodeInvocation, signal: AbortSignal): Promise<Answer> {
    const { callId, timeoutMs } = invocation;
    const { name } = node.view;
    const over = new AbortController();
    const answered = new Promise<Answer>((resolve) => node.waiting.set(callId, resolve));
    const late = clock.sleep(timeoutMs, AbortSignal.any([over.signal, signal])).then(
      () => "late" as const,
      () => "left" as const,
    );
    try {
      if (!connections.push(node.connectionId, "node.invoke", invocation)) return { type: "gone" };
      const first = await Promise.race([answered, late]);
      if (typeof first !== "string") return first;
      connections.push(node.connectionId, "node.cancel", { callId });
      signal.throwIfAborted();
      throw failure("tool/failed", "nodes.late", { name, timeoutMs }, { hint: "nodes.late.hint" });
    } finally {
      node.waiting.delete(callId);
      over.abort();
    }
  }

  return {
    "nodes.register": (params, { caller, connectionId }) =>
      register(params, { callerId: caller.id, connectionId }),
    "nodes.list": async () => ({ nodes: [...nodes.values()].map(({ view }) => view) }),
    "nodes.invoke": (params, { signal }) => invoke(params, signal),
    async "nodes.result"({ callId, ok, payload = null, error = "" }, { connectionId }) {
      // Looked for among what this connection was asked, and nowhere else: no node answers for another.
      const settle = heldBy(connectionId)?.waiting.get(callId);
      if (!settle) throw failure("usage/not-found", "nodes.not-asked", {}, { hint: "nodes.not-asked.hint" });
      settle({ type: "answered", ok, payload, error });
      return { taken: true };
    },
  };
}

/** The same for the same name of the same caller, so that a node that comes back is the one that went. */
const nodeIdOf = (callerId: string, name: string): string =>
  `n_${createHash("sha256")
    .update(JSON.stringify([callerId, name]))
    .digest("hex")
    .slice(0, 20)}`;
