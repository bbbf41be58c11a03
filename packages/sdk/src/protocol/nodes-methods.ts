/**
 * Nodes: devices and programs that stay connected and lend the gateway their hands. A node registers over a connection that stays and is
 * gone when it closes; what it is asked to do comes as the event `node.invoke` on that connection, and is answered with `nodes.result`.
 */
import { Type } from "typebox";
import { answer, idempotencyKey, method, strict } from "./method.ts";

const shortText = Type.String({ minLength: 1, maxLength: 64, pattern: "^[^\\u0000-\\u001f\\u007f]+$" });
const command = Type.String({ pattern: "^[a-z][a-z0-9_.-]{0,63}$" });

export const nodesMethods = {
  /** Registering again over the same connection replaces what was there, and so does the same name of the same caller from another one. */
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
  /** Answers when the node has; fails when it is gone, is too busy or takes longer than `timeoutMs` (30 s unless it is given). */
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
  /** Of the node that was asked, once. */
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
  /** Who registered it, as the door knows them. */
  by: string;
  since: string;
}

/** What a node is asked, as the payload of the event `node.invoke`; `node.cancel` with the `callId` says that nobody waits any more. */
export interface NodeInvocation {
  callId: string;
  command: string;
  arguments: Record<string, unknown>;
  timeoutMs: number;
}
