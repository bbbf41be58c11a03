/** Conversations: the list of them, what was said in each, and the name that its owner gives one. */
import { Type, type TObject } from "typebox";
import type { Entry } from "../entry.ts";
import { change, language, limit, name, read, type Method } from "./method.ts";

export const sessionsMethods = {
  /**
   * Newest activity first; hand `next` back as `after`. `search` finds a part of the key or of the name. With `openings` each comes with the
   * first words that were said in it.
   */
  "sessions.list": read({
    limit,
    after: Type.Optional(Type.String({ maxLength: 2048 })),
    agentId: Type.Optional(name),
    channel: Type.Optional(name),
    state: Type.Optional(Type.Enum(["active", "ended"])),
    search: Type.Optional(Type.String({ maxLength: 512 })),
    openings: Type.Optional(Type.Boolean()),
  }),
  /** By id, or by key in any spelling. */
  "sessions.find": read({ idOrKey: Type.String({ maxLength: 1024 }) }),
  /** Entries with a number above `after`, in order; a page may hold fewer than asked for, and is empty only at the end. */
  "sessions.entries": read({ sessionId: name, after: Type.Integer({ minimum: 0 }), limit }),
  /** The name under which people find it again; nothing takes it away. Its key stays. */
  "sessions.rename": change({ sessionId: name, label: Type.String({ maxLength: 200 }) }),
  "sessions.delete": change({ sessionId: name }),
  /** Transcript files on the gateway's machine. */
  "sessions.import": change({
    paths: Type.Array(Type.String({ minLength: 1 }), { maxItems: 10_000 }),
    language,
  }),
} as const satisfies Record<string, Method<TObject>>;

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

export interface SessionsResults {
  "sessions.list": { sessions: SessionView[]; next: string | null };
  "sessions.find": SessionView;
  "sessions.entries": { entries: Entry[] };
  "sessions.rename": SessionView;
  "sessions.delete": { deleted: string };
  "sessions.import": unknown[];
}
