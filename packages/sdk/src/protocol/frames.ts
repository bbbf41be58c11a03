/**
 * The frames between a gateway and its clients, over the socket of the home and over WebSocket alike. On the socket
 * each frame is one line of JSON. The first request of a connection is `connect`.
 */
import { Type, type Static } from "typebox";

export const RequestFrame = Type.Object({
  type: Type.Literal("req"),
  id: Type.String({ minLength: 1, maxLength: 128 }),
  method: Type.String({ minLength: 1, maxLength: 128 }),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const protocolErrorCodes = [
  "UNAUTHORIZED",
  "AUTH_REQUIRED",
  "FORBIDDEN",
  "TENANT_SCOPE_MISMATCH",
  "WORKSPACE_SCOPE_MISMATCH",
  "INVALID_REQUEST",
  "METHOD_NOT_FOUND",
  "IDEMPOTENCY_CONFLICT",
  "RATE_LIMITED",
  "SESSION_BUSY",
  "POLICY_DENIED",
  "MODEL_UNAVAILABLE",
  "TOOL_EXEC_FAILED",
  "INTERNAL_ERROR",
] as const;
export type ProtocolErrorCode = (typeof protocolErrorCodes)[number];

export const FrameError = Type.Object({
  code: Type.Enum([...protocolErrorCodes]),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
  /** The product's own code, more specific than `code`, so that a command ends as it would without a gateway. */
  reason: Type.Optional(Type.String()),
  /** The key of the message in the catalogue of texts, to show it in the reader's language. */
  text: Type.Optional(
    Type.Object({
      key: Type.String(),
      hint: Type.Optional(Type.String()),
      parameters: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});

export const ResponseFrame = Type.Union([
  Type.Object({
    type: Type.Literal("res"),
    id: Type.String(),
    ok: Type.Literal(true),
    payload: Type.Unknown(),
  }),
  Type.Object({ type: Type.Literal("res"), id: Type.String(), ok: Type.Literal(false), error: FrameError }),
]);

export const EventFrame = Type.Object({
  type: Type.Literal("event"),
  event: Type.String(),
  payload: Type.Unknown(),
  /** Rises by one with each event of a connection. */
  seq: Type.Integer(),
  /** For events to all subscribers: the version of the gateway's state at that time. */
  stateVersion: Type.Optional(Type.Integer()),
  /** The request that it belongs to, if any. */
  id: Type.Optional(Type.String()),
});

export type RequestFrame = Static<typeof RequestFrame>;
export type FrameError = Static<typeof FrameError>;
export type ResponseFrame = Static<typeof ResponseFrame>;
export type EventFrame = Static<typeof EventFrame>;
export type Frame = RequestFrame | ResponseFrame | EventFrame;
