/** Sessions: listing them, reading them, and naming them. */
import { Type } from "typebox";
import type { Entry } from "../entry.ts";
import { answer, language, limit, method, name, namedSession } from "./method.ts";

export const sessionsMethods = {
  /**
   * Newest activity first; pass `next` as `after`. `search` matches part of the key, of the name or of the
   * first words. With `openings` each has its first words.
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
  /**
   * Entries with a number above `after`, in order; a page may have fewer than requested, and is empty only at the end.
   */
  "sessions.entries": method({
    params: { sessionKey: namedSession, after: Type.Integer({ minimum: 0 }), limit },
    result: answer<{ entries: Entry[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "session",
  }),
  /** The display name; an empty one removes it. The key stays. */
  "sessions.rename": method({
    params: { sessionKey: namedSession, label: Type.String({ maxLength: 200 }) },
    result: answer<SessionView>(),
    effect: "change",
    permission: "sessions.write",
    scope: "session",
  }),
  /** Goes on with one that has ended: it is the one of its key again, and the one that was ends. Waits for a turn that runs. */
  "sessions.resume": method({
    params: { sessionKey: namedSession },
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
    // A transcript can contain anything as the owner's words, and the path can be anywhere on the machine.
    permission: "owner.speak",
    scope: "tenant",
  }),
};

/** The transcript of one session. */
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
  /** The display name; null if it has none. */
  label: string | null;
  /** The first words of the session, cut; missing in a list unless requested. */
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
