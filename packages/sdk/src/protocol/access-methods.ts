/**
 * Who has a way in: tokens, devices, browsers, and devices that wait to be let in. Nobody hands on more than they have themselves, in what
 * they may do and in what they reach.
 */
import { Type, type TObject } from "typebox";
import { change, read, strict, type Method } from "./method.ts";

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
  "access.list": read({ all: Type.Optional(Type.Boolean()) }),
  /** The token comes back this once; of it only a digest is kept. */
  "access.createToken": change({ name: shownName, role, scope, days }),
  /** Signs a browser in, once, within five minutes; as whoever asks, unless a lesser role is named. */
  "access.createCode": change({ role: Type.Optional(role), scope }),
  /** With everything that it let in. */
  "access.revoke": change({ id }),
  /** Every browser but the one that asks, with everything that they let in; as far as whoever asks may. */
  "access.revokeOthers": change({}),
  /** Lets a device in that waits: by its id, or by the code that it shows. */
  "access.approve": change({ id, role, name: Type.Optional(shownName), scope, days }),
  "access.deny": change({ id }),
} as const satisfies Record<string, Method<TObject>>;

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

export interface AccessResults {
  "access.list": { access: AccessView[]; waiting: WaitingDeviceView[] };
  "access.createToken": { token: string; access: AccessView };
  "access.createCode": { code: string; link: string; role: string; expiresAt: string };
  "access.revoke": { revoked: AccessView[] };
  "access.revokeOthers": { revoked: AccessView[] };
  "access.approve": { access: AccessView };
  "access.deny": { denied: string };
}
