/**
 * What the conversation tools need. Every request says who asks and from where; if that is unknown, nothing is
 * visible and nobody can be reached. A refusal is a value, worded for the model, and never thrown.
 */
import type { Destination, MessageAction, Origin, ToolCallContext, ToolVisibility } from "@pincer/sdk";

export type Caller = Pick<ToolCallContext, "place" | "conversation">;
/** The caller of a running tool call. */
export type RunningCaller = Caller & Pick<ToolCallContext, "turnId">;

export interface Refused {
  /** Why, and what would work instead. */
  refused: string;
}

export interface SessionLine {
  /** The name to request it by: its key, or the id of an ended session. */
  session: string;
  sessionKey: string;
  /** Its display name, chosen by others: not trustworthy. */
  title: string | undefined;
  lastActivity: string;
  state: "active" | "ended";
  /** Turns in progress. */
  turns: TurnCounts;
}

export interface TurnCounts {
  running: number;
  /** Waiting for the owner's answer. */
  waiting: number;
  queued: number;
}

/** A text of one person, or of the agent. */
export interface HistoryLine {
  seq: number;
  time: string;
  /** `assistant`: the agent itself. Left out: stored before texts had labels. */
  origin?: Origin | "assistant" | undefined;
  /** A person, a host, a file. */
  from?: string | undefined;
  text: string;
}

export interface HistoryPage {
  sessionKey: string;
  lines: HistoryLine[];
  /** The cursor for earlier lines, if there are more. */
  before: number | undefined;
}

export interface SessionStatus {
  sessionKey: string;
  state: "active" | "ended" | "none";
  /** The model that answered last. */
  model: string | undefined;
  messages: number;
  summaries: number;
  tokens: { input: number; output: number; total: number; context: number };
  hasMemory: boolean;
  turns: TurnCounts;
  /** Open questions to the owner; `named` lists them for callers who may know. */
  approvals: { pending: number; named: Array<{ id: string; tool: string }> };
}

export interface FoundSession {
  sessionKey: string;
  /** Where its answers are read; null if they stay in the session. */
  destination: Destination | null;
}

export interface Recipient {
  destination: Destination;
  /** The owner's name for them, from the config. */
  name: string | undefined;
  /** `channel/account:id`; equal keys are the same place. */
  key: string;
  /** Whether it is the conversation that the turn answers. */
  isOwn: boolean;
}

export interface SessionAccess {
  /** The sessions that the caller may see, latest activity first. All methods throw what the storage does. */
  list(request: { limit: number; search?: string | undefined }, caller: Caller): Promise<SessionLine[]>;
  /** The messages, oldest first. */
  history(
    request: { session: string; limit: number; before?: number | undefined },
    caller: Caller,
  ): Promise<HistoryPage | Refused>;
  /** Without a session: the caller's own. */
  status(session: string | undefined, caller: Caller): Promise<SessionStatus | Refused>;
  /** The session that a message would reach. */
  find(session: string, caller: Caller): Promise<FoundSession | Refused>;
  /** On disk when it resolves. The same text to the same session is one message within a turn, also after a crash. */
  send(
    request: { session: string; text: string },
    caller: RunningCaller,
  ): Promise<{ sessionKey: string; isNew: boolean } | Refused>;
  /** The text for an approval. */
  shown(request: { session: FoundSession; text: string }): string;
}

export interface MessageAccess {
  /** Without a name: the turn's own conversation. */
  find(to: string | undefined, caller: Caller): Promise<Recipient | Refused>;
  /** Stores it for delivery. The same text to the same recipient is one message within a turn, also after a crash. */
  send(
    message: {
      recipient: Recipient;
      text: string;
      actions?: MessageAction[] | undefined;
      /** The network's id of the message to reply to, or the one that the turn answers. */
      replyTo?: string | "current" | undefined;
    },
    caller: RunningCaller,
  ): Promise<SentMessage>;
  /** The text for an approval. */
  shown(message: { recipient: Recipient; text: string }): string;
}

export interface SentMessage {
  /**
   * `repeated`: sent there earlier in this turn; `failed`: and could not be delivered. `stored`: waits for a gateway.
   */
  outcome: "underway" | "stored" | "repeated" | "failed";
  reason?: string;
}

export interface ConversationAccess {
  sessions: SessionAccess;
  messages: MessageAccess;
}

/** Returns the answer, or throws its refusal for the model. */
export function granted<Answer extends object>(answer: Answer | Refused): Answer {
  if ("refused" in answer) throw new Error(answer.refused);
  return answer;
}

export const isOwner = (place: ToolVisibility | undefined): boolean =>
  place?.userRoles.includes("owner") === true;
