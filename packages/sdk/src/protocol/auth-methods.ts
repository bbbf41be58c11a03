/** Credentials for providers. */
import { Type } from "typebox";
import { answer, method, name, ofAgent } from "./method.ts";

export const authMethods = {
  /** The credentials that `agentId` can use; contains no secrets. */
  "auth.status": method({
    params: { provider: Type.Optional(name), agentId: Type.Optional(name) },
    result: answer<{ credentials: CredentialView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /** Stores or replaces a credential and adds it to the order. `force`: also for an unknown provider or agent. */
  "auth.put": method({
    params: {
      id: name,
      ...ofAgent,
      provider: name,
      type: Type.Enum(["api_key", "token", "oauth"]),
      secret: Type.Record(Type.String(), Type.Unknown()),
      source: name,
      force: Type.Optional(Type.Boolean()),
    },
    result: answer<{ stored: CredentialName & { provider: string } }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  /** Moves it to the front of the order. */
  "auth.use": method({
    params: { id: name, ...ofAgent },
    result: answer<{ provider: string; order: string[] }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  "auth.logout": method({
    params: { id: name, ...ofAgent },
    result: answer<{ removed: CredentialName }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  /** Without `ids`, only returns the order; an empty list removes it. */
  "auth.order": method({
    params: {
      provider: name,
      ids: Type.Optional(Type.Array(name, { maxItems: 1000 })),
      ...ofAgent,
    },
    result: answer<{ provider: string; order: string[] }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  /** Imports a file on the gateway's machine. The whole file is read before anything changes. */
  "auth.import": method({
    params: {
      from: Type.Enum(["file", "claude-cli", "codex-cli"]),
      file: Type.String({ minLength: 1 }),
      force: Type.Optional(Type.Boolean()),
      ...ofAgent,
    },
    /**
     * `skipped`: unusable here, because it is empty, or because it is a login and its provider has none. `hasKey`:
     * nothing was imported, because this provider already has a key.
     */
    result: answer<{
      imported: string[];
      kept: string[];
      skipped: Array<{ id: string; reason: "empty" | "no-login" }>;
      hasKey?: string;
    }>(),
    effect: "change",
    // It takes logins of other programs, from any place of the machine.
    permission: "setup.machine",
    scope: "tenant",
  }),
  /** Writes a file on the gateway's machine, secrets included: they never travel over the wire. */
  "auth.export": method({
    params: {
      file: Type.String({ minLength: 1 }),
      force: Type.Optional(Type.Boolean()),
      ...ofAgent,
    },
    /** `leftOut`: credentials that belong to one agent, if no agent was named. */
    result: answer<{ file: string; credentials: number; leftOut: number }>(),
    effect: "change",
    permission: "auth.export",
    scope: "tenant",
  }),
  /** Asks the provider; without an id, for each credential in the order and each that belongs to an agent. */
  "auth.test": method({
    params: { id: Type.Optional(name), ...ofAgent },
    result: answer<{ results: CredentialTestView[] }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
};

export interface CredentialView {
  id: string;
  /** Null: for every agent. */
  agentId: string | null;
  provider: string;
  /** api_key, token, oauth, environment, none. */
  type: string;
  /** An account, or the last characters of a key. */
  label: string | null;
  /** login, import, environment, config. */
  source: string;
  state: "ready" | "set-aside" | "expired" | "locked";
  /** When its cooldown ends, or when it expired. */
  until: string | null;
  /** Why it is not ready, in the provider's words or ours. */
  reason: string | null;
  /** Position in the order, from 1; null: it is not used. */
  position: number | null;
  lastUsedAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
}

/** unclear: the provider could not be asked, or its answer says nothing about the credential. */
export interface CredentialTestView {
  id: string;
  agentId: string | null;
  outcome: "works" | "refused" | "unclear";
  ok: boolean;
  /** One line for people: who answered, or why not. */
  detail: string;
}

type CredentialName = { id: string; agentId: string | null };
