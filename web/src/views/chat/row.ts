/** One row of a conversation, as it is shown. */
import type { DryRunView, GrantedTurnView, MessageFile, PastedRange, TurnChangesClosing } from "@pincer/sdk";
import type { RequestCard } from "../approvals/request-cards.ts";
import type { LiveRun, RunEnding } from "./conversation.ts";
import type { PendingMessage } from "./pending.ts";

export type Row = { key: string; isAside?: true } & (
  | { type: "day"; time: string }
  /** Where the session began, or was taken up again. */
  | { type: "begin"; time: string; isResumed: boolean }
  | UserRow
  | AnswerRow
  | ToolRow
  | { type: "approval"; card: RequestCard }
  | { type: "pending"; pending: PendingMessage }
  | { type: "note"; name: NoteName; time: string; detail: string; count: number }
  | { type: "command"; time: string; input: string; output: string; isOk: boolean }
  | { type: "granted"; turn: GrantedTurnView }
  | { type: "changes"; changes: TurnChangesClosing }
  | { type: "dry-run"; run: DryRunView }
  | { type: "aside"; from: number; count: number; isOpen: boolean }
  | { type: "working"; runId: string; state: LiveRun["state"] }
  | { type: "ending"; ending: RunEnding }
);

export interface UserRow {
  type: "user";
  seq: number;
  time: string;
  text: string;
  /** What of it was pasted; left out where nobody can tell. */
  pasted: readonly PastedRange[] | undefined;
  quoted: string;
  files: readonly MessageFile[];
  from: string;
  isOwn: boolean;
}

export interface AnswerRow {
  type: "answer";
  /** 0 while it is on its way. */
  seq: number;
  runId: string;
  time: string;
  text: string;
  thinking: string;
  isLive: boolean;
  /** `provider/model`. */
  model: string;
  /** Whether a model was asked: a command that the owner typed is answered without one. */
  isByModel: boolean;
  /** Of the whole run, where this is its last word. */
  cost: number;
  tokens: number;
  isLast: boolean;
  isStopped: boolean;
  error: string;
}

export interface ToolRow {
  type: "tool";
  /** Which call of which run. */
  call: string;
  seq: number;
  time: string;
  name: string;
  arguments: Record<string, unknown>;
  state: "running" | "waiting" | "done" | "failed" | "denied" | "unanswered";
  output: string;
  pictures: readonly MessageFile[];
  resultSeq: number;
  ms: number | undefined;
  /** Of a program that failed. */
  exitCode: number | undefined;
}

export type NoteName = "compaction" | "anchor" | "carried";

export interface LocalNote {
  id: string;
  /** In which session; null before there is one. */
  sessionId: string | null;
  /** Stands behind this entry. */
  after: number;
  time: string;
  input: string;
  output: string;
  isOk: boolean;
}

/** The files of a message as they are sent again with it. */
export const uploadsOf = ({ files }: UserRow): PendingMessage["files"] =>
  files.map(({ media, name = "", mimeType }) => ({ id: media, name, type: mimeType }));
