/**
 * Who has a way in: tokens, devices, browsers, and devices that wait to be let in. Nobody hands on more than they have themselves, in what
 * they may do and in what they reach.
 */
import { Type } from "typebox";
import { answer, method, strict } from "./method.ts";

/** Those that can be given to somebody. */
export const accessRoles = ["owner", "admin", "developer", "viewer", "auditor", "node"] as const;
export type AccessRole = (typeof accessRoles)[number];

const role = Type.Enum([...accessRoles]);
const shownName = Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]+$" });
const ids = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 });
/** Left out: as much as whoever asks reaches. */
const scope = Type.Optional(
  Type.Union([
    Type.Object({ type: Type.Literal("tenant") }, strict),
    Type.Object({ type: Type.Literal("workspace"), workspaceIds: ids }, strict),
    Type.Object({ type: Type.Literal("agent"), agentIds: ids }, strict),
  ]),
);
/** How long it is good; left out, until it is taken back. */
const days = Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 }));
const id = Type.String({ minLength: 1, maxLength: 64 });

export const accessMethods = {
  /** Newest first; those that are good, unless `all`. No secret is in it. */
  "access.list": method({
    params: { all: Type.Optional(Type.Boolean()) },
    result: answer<{ access: AccessView[]; waiting: WaitingDeviceView[] }>(),
    effect: "read",
    permission: "access.view",
    scope: "tenant",
  }),
  /** The token comes back this once; of it only a digest is kept. */
  "access.createToken": method({
    params: { name: shownName, role, scope, days },
    result: answer<{ token: string; access: AccessView }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /** Signs a browser in, once, within five minutes; as whoever asks, unless a lesser role is named. */
  "access.createCode": method({
    params: { role: Type.Optional(role), scope },
    result: answer<{ code: string; link: string; role: string; expiresAt: string }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /** With everything that it let in. */
  "access.revoke": method({
    params: { id },
    result: answer<{ revoked: AccessView[] }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /** Every browser but the one that asks, with everything that they let in; as far as whoever asks may. */
  "access.revokeOthers": method({
    params: {},
    result: answer<{ revoked: AccessView[] }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /** Lets a device in that waits: by its id, or by the code that it shows. */
  "access.approve": method({
    params: { id, role, name: Type.Optional(shownName), scope, days },
    result: answer<{ access: AccessView }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  "access.deny": method({
    params: { id },
    result: answer<{ denied: string }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
};

export interface AccessView {
  id: string;
  kind: "token" | "device" | "browser" | "passkey";
  role: string;
  name: string;
  scope: { type: string; workspaceIds?: readonly string[]; agentIds?: readonly string[] };
  /** How whoever it is comes in, or came in when it was made. */
  way: string;
  createdAt: string;
  createdBy: string;
  /** To about a minute. */
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface WaitingDeviceView {
  id: string;
  name: string;
  /** What it would like to be. */
  wants: string;
  /** Compare it with what the device shows. */
  code: string;
  address: string;
  createdAt: string;
  expiresAt: string;
}
