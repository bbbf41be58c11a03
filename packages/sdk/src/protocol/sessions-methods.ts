/** Conversations as a list shows them, and the name that their owner gives one. */
import { Type, type TObject } from "typebox";
import { change, limit, name, read, type Method } from "./method.ts";

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
  /** The name under which people find it again; nothing takes it away. Its key stays. */
  "sessions.rename": change({ sessionId: name, label: Type.String({ maxLength: 200 }) }),
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
  "sessions.rename": SessionView;
}
