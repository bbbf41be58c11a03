/** What there is to prove to providers who asks. */
import { Type } from "typebox";
import { answer, method, name, ofAgent } from "./method.ts";

export const authMethods = {
  /** What there is to prove to providers who asks, as `agentId` sees it; nothing secret is in it. */
  "auth.status": method({
    params: { provider: Type.Optional(name), agentId: Type.Optional(name) },
    result: answer<{ credentials: CredentialView[] }>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  /** Stores or replaces one and sees to it that it is tried. `force`: also for a provider or an agent that nobody knows. */
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
  /** From now on the first to be tried. */
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
  /** Without `ids` only tells; an empty list takes the order away. */
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
  /** A file on the gateway's machine. All of it is read before anything is changed. */
  "auth.import": method({
    params: {
      from: Type.Enum(["file", "claude-cli", "codex-cli"]),
      file: Type.String({ minLength: 1 }),
      force: Type.Optional(Type.Boolean()),
      ...ofAgent,
    },
    /**
     * `skipped`: of no use here, because there is nothing in it to send or because it is a login and its provider has none. `hasKey`: nothing
     * was imported, because this provider has a key already.
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
  /** Into a file on the gateway's machine, secrets included: they never come back over the wire. */
  "auth.export": method({
    params: {
      file: Type.String({ minLength: 1 }),
      force: Type.Optional(Type.Boolean()),
      ...ofAgent,
    },
    /** `leftOut`: those that belong to one agent, where no agent was named. */
    result: answer<{ file: string; credentials: number; leftOut: number }>(),
    effect: "change",
    permission: "auth.export",
    scope: "tenant",
  }),
  /** Asks the provider; without an id, for each that is tried and each that an agent has of its own. */
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
  /** Null: it holds for every agent. */
  agentId: string | null;
  provider: string;
  /** api_key, token, oauth, environment, none. */
  type: string;
  /** An account, or the last characters of a key. */
  label: string | null;
  /** login, import, environment, config. */
  source: string;
  state: "ready" | "set-aside" | "expired" | "locked";
  /** Until when it is set aside, or since when it has run out. */
  until: string | null;
  /** Why it is not ready, in the provider's or our words. */
  reason: string | null;
  /** From 1, in the order of trying; null: it is not tried. */
  position: number | null;
  lastUsedAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
}

/** unclear: nobody could be asked, or the answer says nothing about the credential. */
export interface CredentialTestView {
  id: string;
  agentId: string | null;
  outcome: "works" | "refused" | "unclear";
  ok: boolean;
  /** One line for people: who answered, or why not. */
  detail: string;
}

type CredentialName = { id: string; agentId: string | null };
