/**
 * Access to the gateway: tokens, devices, browsers, and devices that wait for approval. Nobody can grant more
 * permissions or a wider scope than they have themselves.
 */
import { Type } from "typebox";
import { answer, method, strict } from "./method.ts";

/** The roles that can be granted. */
export const accessRoles = ["owner", "admin", "developer", "viewer", "auditor", "node"] as const;
export type AccessRole = (typeof accessRoles)[number];

const role = Type.Enum([...accessRoles]);
const shownName = Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]+$" });
const ids = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 });
/** Default: the scope of the caller. */
const scope = Type.Optional(
  Type.Union([
    Type.Object({ type: Type.Literal("tenant") }, strict),
    Type.Object({ type: Type.Literal("workspace"), workspaceIds: ids }, strict),
    Type.Object({ type: Type.Literal("agent"), agentIds: ids }, strict),
  ]),
);
/** How long it is valid; default: until it is revoked. */
const days = Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 }));
const id = Type.String({ minLength: 1, maxLength: 64 });

export const accessMethods = {
  /** Newest first; only valid ones, unless `all`. Contains no secrets. */
  "access.list": method({
    params: { all: Type.Optional(Type.Boolean()) },
    result: answer<{ access: AccessView[]; waiting: WaitingDeviceView[] }>(),
    effect: "read",
    permission: "access.view",
    scope: "tenant",
  }),
  /** The result contains the token, this once; only a digest of it is stored. */
  "access.createToken": method({
    params: { name: shownName, role, scope, days },
    result: answer<{ token: string; access: AccessView }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /**
   * Creates a one-time link that signs a browser in, valid for five minutes; with the caller's role, unless a lesser
   * one is named.
   */
  "access.createCode": method({
    params: { role: Type.Optional(role), scope },
    result: answer<{ code: string; link: string; role: string; expiresAt: string }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /** Also revokes all access that was granted through it. */
  "access.revoke": method({
    params: { id },
    result: answer<{ revoked: AccessView[] }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /** Signs out every browser except the caller's, with all access granted through them, as far as the caller may. */
  "access.revokeOthers": method({
    params: {},
    result: answer<{ revoked: AccessView[] }>(),
    effect: "change",
    permission: "access.write",
    scope: "tenant",
  }),
  /** Approves a waiting device, by its id or by the code that it shows. */
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
  /** How it signs in, or how its creator had signed in. */
  way: string;
  createdAt: string;
  createdBy: string;
  /** Accurate to about a minute. */
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface WaitingDeviceView {
  id: string;
  name: string;
  /** The role that it asks for. */
  wants: string;
  /** Compare it with what the device shows. */
  code: string;
  address: string;
  createdAt: string;
  expiresAt: string;
}
