/**
 * Nodes: devices and programs that stay connected and offer their capabilities. A node registers over a persistent
 * connection and is removed when it closes. Requests to it are the event `node.invoke` on that connection; it answers
 * with `nodes.result`.
 */
import { Type } from "typebox";
import { answer, idempotencyKey, method, strict } from "./method.ts";

const shortText = Type.String({ minLength: 1, maxLength: 64, pattern: "^[^\\u0000-\\u001f\\u007f]+$" });
const command = Type.String({ pattern: "^[a-z][a-z0-9_.-]{0,63}$" });

export const nodesMethods = {
  /**
   * Registering again over the same connection replaces the node, and so does the same name from the same caller over
   * another one.
   */
  "nodes.register": method({
    params: {
      name: shortText,
      platform: shortText,
      version: shortText,
      commands: Type.Array(
        Type.Object({ name: command, description: Type.String({ maxLength: 500 }) }, strict),
        { maxItems: 64 },
      ),
      idempotencyKey,
    },
    result: answer<{ nodeId: string }>(),
    effect: "own",
    permission: "nodes.attach",
    scope: "free",
  }),
  "nodes.list": method({
    params: {},
    result: answer<{ nodes: NodeView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /**
   * Answers when the node has answered; fails if it disconnects, is too busy or takes longer than `timeoutMs`
   * (default: 30 s).
   */
  "nodes.invoke": method({
    params: {
      nodeId: Type.String({ minLength: 1, maxLength: 64 }),
      command,
      arguments: Type.Optional(Type.Record(Type.String({ maxLength: 256 }), Type.Unknown())),
      timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 600_000 })),
    },
    result: answer<{ payload: unknown }>(),
    effect: "change",
    permission: "nodes.use",
    scope: "tenant",
  }),
  /** Called by the node that was asked, once. */
  "nodes.result": method({
    params: {
      callId: Type.String({ minLength: 1, maxLength: 64 }),
      ok: Type.Boolean(),
      payload: Type.Optional(Type.Unknown()),
      error: Type.Optional(Type.String({ maxLength: 2000 })),
      idempotencyKey,
    },
    result: answer<{ taken: true }>(),
    effect: "own",
    permission: "nodes.attach",
    scope: "free",
  }),
};

export interface NodeView {
  id: string;
  name: string;
  platform: string;
  version: string;
  commands: Array<{ name: string; description: string }>;
  /** Who registered it, as the gateway identified the caller. */
  by: string;
  since: string;
}

/**
 * The payload of the event `node.invoke`; `node.cancel` with the `callId` says that nobody waits for the answer any
 * more.
 */
export interface NodeInvocation {
  callId: string;
  command: string;
  arguments: Record<string, unknown>;
  timeoutMs: number;
}
