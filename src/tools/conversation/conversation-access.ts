/**
 * What the tools that act on conversations stand on. Every question says who asks and from where; where nobody knows, nothing is seen and
 * nobody is reached. What is refused is answered, in words for a model, and not thrown.
 */
import type { Destination, MessageAction, Origin, ToolCallContext, ToolVisibility } from "@pincer/sdk";

export type Caller = Pick<ToolCallContext, "place" | "conversation">;
/** Of a call that runs. */
export type RunningCaller = Caller & Pick<ToolCallContext, "turnId">;

export interface Refused {
  /** Why, and what would work. */
  refused: string;
}

export interface SessionLine {
  /** What it is asked for by: its key, or of one that is over its id. */
  session: string;
  sessionKey: string;
  /** What others call it; nobody's word may be taken for it. */
  title: string | undefined;
  lastActivity: string;
  state: "active" | "ended";
  /** What is under way in it. */
  turns: TurnCounts;
}

export interface TurnCounts {
  running: number;
  /** For the owner's answer. */
  waiting: number;
  queued: number;
}

/** Words of one person, or of the agent itself. */
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
  /** To go on with, where there is more. */
  before: number | undefined;
}

export interface SessionStatus {
  sessionKey: string;
  state: "active" | "ended" | "none";
  /** Who answered last. */
  model: string | undefined;
  messages: number;
  summaries: number;
  tokens: { input: number; output: number; total: number; context: number };
  hasMemory: boolean;
  turns: TurnCounts;
  /** What the owner is asked; `named` says which, for whoever may know. */
  approvals: { pending: number; named: Array<{ id: string; tool: string }> };
}

export interface FoundSession {
  sessionKey: string;
  /** Where its answers are read; null where they stay in the session. */
  destination: Destination | null;
}

export interface Recipient {
  destination: Destination;
  /** What the owner calls them, where the config says so. */
  name: string | undefined;
  /** `channel/account:id`; equal ones are the same place. */
  key: string;
  /** Whether it is where the turn answers anyway. */
  isOwn: boolean;
}

export interface SessionAccess {
  /** Those that the caller may see, newest activity first. Throws what the storage does, as all of them. */
  list(request: { limit: number; search?: string | undefined }, caller: Caller): Promise<SessionLine[]>;
  /** What was said, oldest first. */
  history(
    request: { session: string; limit: number; before?: number | undefined },
    caller: Caller,
  ): Promise<HistoryPage | Refused>;
  /** Left out: the caller's own. */
  status(session: string | undefined, caller: Caller): Promise<SessionStatus | Refused>;
  /** Whom a message to a session would reach. */
  find(session: string, caller: Caller): Promise<FoundSession | Refused>;
  /** On the disk when it resolves. The same text to the same session is one message within a turn, also after a crash. */
  send(
    request: { session: string; text: string },
    caller: RunningCaller,
  ): Promise<{ sessionKey: string; isNew: boolean } | Refused>;
  /** For people who are asked about it. */
  shown(request: { session: FoundSession; text: string }): string;
}

export interface MessageAccess {
  /** Left out: the turn's own conversation. */
  find(to: string | undefined, caller: Caller): Promise<Recipient | Refused>;
  /** Stored to be delivered. The same text to the same recipient is one message within a turn, also after a crash. */
  send(
    message: {
      recipient: Recipient;
      text: string;
      actions?: MessageAction[] | undefined;
      /** The network's id of the message that it answers, or the one that the turn answers. */
      replyTo?: string | "current" | undefined;
    },
    caller: RunningCaller,
  ): Promise<SentMessage>;
  /** For people who are asked about it. */
  shown(message: { recipient: Recipient; text: string }): string;
}

export interface SentMessage {
  /** `repeated`: it was said there in this turn before; `failed`: and could not be delivered. `stored`: nobody delivers before a gateway runs. */
  outcome: "underway" | "stored" | "repeated" | "failed";
  reason?: string;
}

export interface ConversationAccess {
  sessions: SessionAccess;
  messages: MessageAccess;
}

/** The answer, or a throw that tells the model why there is none. */
export function granted<Answer extends object>(answer: Answer | Refused): Answer {
  if ("refused" in answer) throw new Error(answer.refused);
  return answer;
}

export const isOwner = (place: ToolVisibility | undefined): boolean =>
  place?.userRoles.includes("owner") === true;
