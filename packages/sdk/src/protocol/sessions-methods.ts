/** Conversations: the list of them, what was said in each, and the name that its owner gives one. */
import { Type } from "typebox";
import type { Entry } from "../entry.ts";
import { answer, language, limit, method, name, namedSession } from "./method.ts";

export const sessionsMethods = {
  /**
   * Newest activity first; hand `next` back as `after`. `search` finds a part of the key or of the name. With `openings` each comes with the
   * first words that were said in it.
   */
  "sessions.list": method({
    params: {
      limit,
      after: Type.Optional(Type.String({ maxLength: 2048 })),
      agentId: Type.Optional(name),
      channel: Type.Optional(name),
      state: Type.Optional(Type.Enum(["active", "ended"])),
      search: Type.Optional(Type.String({ maxLength: 512 })),
      openings: Type.Optional(Type.Boolean()),
    },
    result: answer<{ sessions: SessionView[]; next: string | null }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "agent",
  }),
  /** By id, or by key in any spelling. */
  "sessions.find": method({
    params: { sessionKey: namedSession },
    result: answer<SessionView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** Entries with a number above `after`, in order; a page may hold fewer than asked for, and is empty only at the end. */
  "sessions.entries": method({
    params: { sessionKey: namedSession, after: Type.Integer({ minimum: 0 }), limit },
    result: answer<{ entries: Entry[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** The name under which people find it again; nothing takes it away. Its key stays. */
  "sessions.rename": method({
    params: { sessionKey: namedSession, label: Type.String({ maxLength: 200 }) },
    result: answer<SessionView>(),
    effect: "change",
    permission: "sessions.write",
    scope: "session",
  }),
  "sessions.delete": method({
    params: { sessionKey: namedSession },
    result: answer<{ deleted: string }>(),
    effect: "change",
    permission: "sessions.delete",
    scope: "session",
  }),
  /** Transcript files on the gateway's machine. */
  "sessions.import": method({
    params: {
      paths: Type.Array(Type.String({ minLength: 1 }), { maxItems: 10_000 }),
      language,
    },
    result: answer<unknown[]>(),
    effect: "change",
    // Whoever writes a transcript writes the owner's words in it, and it is read from any place of the machine.
    permission: "owner.speak",
    scope: "tenant",
  }),
};

/** The record of one session. */
export interface SessionView {
  sessionId: string;
  agentId: string;
  sessionKey: string;
  origin: {
    channel: string;
    accountId?: string;
    peerKey?: string;
    threadKey?: string;
    subject?: string;
  };
  state: "active" | "ended";
  /** What its owner calls it; null where it has no name. */
  label: string | null;
  /** The first words that were said in it, cut; left out of a list where they were not asked for. */
  opening?: string | null;
  memoryEnabled: boolean;
  settings: Readonly<Record<string, string>>;
  compactedMessageCount: number;
  compactionCount: number;
  tokens: { input: number; output: number; context: number; total: number };
  lastSeq: number;
  messageCount: number;
  createdAt: string;
  updatedAt: string;
}
