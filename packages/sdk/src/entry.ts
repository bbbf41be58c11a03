/**
 * One line of a transcript. The database holds entries as rows, the JSONL file as lines; both carry
 * the same body. `seq` rises by one within a session, starting at 1 with the `session` entry.
 */
import { Type, type Static } from "typebox";
import { Label } from "./label.ts";
import { Message } from "./message.ts";
import { Origin } from "./provenance.ts";

export const SessionEntryBody = Type.Object({
  type: Type.Literal("session"),
  /** The session id. */
  id: Type.String(),
  /** The directory the agent worked in when the session began. */
  cwd: Type.String(),
  tenantId: Type.String(),
  workspaceId: Type.String(),
  agentId: Type.String(),
  sessionKey: Type.String(),
  /** Where its messages come from; kept here too, so that a rebuilt session knows it again. */
  origin: Type.Optional(
    Type.Object({
      channel: Type.String(),
      accountId: Type.Optional(Type.String()),
      peerKey: Type.Optional(Type.String()),
      threadKey: Type.Optional(Type.String()),
      subject: Type.Optional(Type.String()),
    }),
  ),
  version: Type.Literal(1),
});

export const MessageEntryBody = Type.Object({
  type: Type.Literal("message"),
  runId: Type.Optional(Type.String()),
  message: Message,
});

export const compactionTriggers = ["tokens", "messages", "overflow", "manual"] as const;

/** A summary that stands for everything before `keepFrom`; what it stands for is never removed. */
export const CompactionEntryBody = Type.Object({
  type: Type.Literal("compaction"),
  summary: Type.String(),
  keepFrom: Type.Integer(),
  /** The first of the entries that it was made of; an earlier summary, which it takes up, stands for those before. */
  from: Type.Optional(Type.Integer()),
  /** How many messages it was made of. */
  messages: Type.Optional(Type.Integer()),
  /** What made it necessary: the size of the request, the number of messages, a provider that refused the request, or a person. */
  trigger: Type.Optional(Type.Enum([...compactionTriggers])),
  /** Size of the context in tokens, as estimated. */
  tokensBefore: Type.Optional(Type.Integer()),
  tokensAfter: Type.Optional(Type.Integer()),
  readFiles: Type.Optional(Type.Array(Type.String())),
  modifiedFiles: Type.Optional(Type.Array(Type.String())),
  /** Of the texts that it was made of, also by way of an earlier summary. */
  origins: Type.Optional(Type.Array(Origin)),
  /** The same as a label; left out on what was stored before labels were. */
  label: Type.Optional(Label),
  /**
   * What later turns are shown of it where others wrote some of what it was made of: the summary of the turns before
   * the last one that it covers, and the owner's own words.
   */
  later: Type.Optional(Type.String()),
});

/** A mark from which context starts; made by handoff. */
export const AnchorEntryBody = Type.Object({
  type: Type.Literal("anchor"),
  name: Type.String(),
  state: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const CommandEntryBody = Type.Object({
  type: Type.Literal("command"),
  name: Type.String(),
  input: Type.String(),
  output: Type.String(),
  ok: Type.Boolean(),
});

export const RouteEntryBody = Type.Object({
  type: Type.Literal("route"),
  agentId: Type.String(),
  rule: Type.String(),
});

/** Something that happened to the session: its memory was switched, it was imported, repaired, reset. */
export const EventEntryBody = Type.Object({
  type: Type.Literal("event"),
  name: Type.String(),
  data: Type.Record(Type.String(), Type.Unknown()),
});

export const EntryBody = Type.Union([
  SessionEntryBody,
  MessageEntryBody,
  CompactionEntryBody,
  AnchorEntryBody,
  CommandEntryBody,
  RouteEntryBody,
  EventEntryBody,
]);

export type SessionEntryBody = Static<typeof SessionEntryBody>;
export type MessageEntryBody = Static<typeof MessageEntryBody>;
export type CompactionEntryBody = Static<typeof CompactionEntryBody>;
export type AnchorEntryBody = Static<typeof AnchorEntryBody>;
export type EntryBody = Static<typeof EntryBody>;

/** `time` is RFC 3339 in UTC with milliseconds. */
export type Entry = EntryBody & { seq: number; time: string };
export type MessageEntry = MessageEntryBody & { seq: number; time: string };
