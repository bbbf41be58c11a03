/**
 * What the gate remembers: labels of files, when programs ran, the plan of a turn, bits spent on addresses, and which versions of
 * steering files count. Files are named by their place (`filePlaceOf`). `storage.ts` states the contract of all verbs.
 */
import type { Label } from "@pincer/sdk";
import type { LeaseHolder } from "../stores.ts";

export interface FileLabel {
  label: Label;
  /** `tool`: it wrote this. `owner`: has taken a label away. `accepted`: a version of a steering file that counts. */
  by: "tool" | "owner" | "accepted";
  /** As `AcceptedVersion` says it. */
  acceptedBy?: string;
  at: string;
}

/** A file as it was read. */
export interface ReadFile {
  path: string;
  /** Left out of what has no content to compare: a directory, or a file that is too large. */
  hash?: string | undefined;
  /** When anything about it was last changed, as the file system says; no program can set that. */
  ctimeMs: number;
}

export interface FileFacts {
  stored: FileLabel | undefined;
  /** Labels of the same content under other paths: it may be a copy of them. */
  copied: Label[];
  history: FileHistory;
}

export interface FileVersion {
  path: string;
  /** SHA-256 of its content, as hex. */
  hash: string;
}

/**
 * Who may have written a file that was last changed at a moment: `program`, one that ran there; `unrecorded`, before programs were
 * recorded; `lost`, before the database was lost, with all that it knew; `known`, none of them.
 */
export type FileHistory = "known" | "program" | "unrecorded" | "lost";

export interface AcceptedVersion {
  path: string;
  hash: string;
  /** `editor`: nobody but the owner can have written it, `upgrade`: it was there before, `assistant`: wrote it in a context without strangers' texts; else the owner. */
  by: string;
  at: string;
}

export interface KeptPlan {
  /** `plan`: what the planner made of a message of the turn. `words`: what the writer made of the call. `use`: the grant that covered the call. */
  type: "plan" | "words" | "use";
  /** Of the call; empty for a plan. */
  callId: string;
  made: unknown;
  at: string;
}

export interface GateStore {
  /** The label that was stored for this content of the file; the owner's word counts more than a tool's. */
  fileLabel(file: FileVersion): Promise<FileLabel | undefined>;
  /** All that is known of each, in the same order. */
  describeFiles(files: readonly ReadFile[]): Promise<FileFacts[]>;
  /**
   * Labels these contents, also before they are written: those of other contents of the same files stay. The owner's word stays whatever a
   * tool says, and is audited. On the disk when it resolves.
   */
  labelFiles(files: ReadonlyArray<FileVersion & { label: Label }>, by: LabelWriter): Promise<void>;
  /** They have been written: what tools said of other contents of these files is forgotten. Along with the next write. */
  forgetOthers(files: readonly FileVersion[]): Promise<void>;
  /** What was stored of this file and of all below it. */
  forgetFiles(path: string): Promise<void>;
  /**
   * Before a program runs that can write below `root` (everywhere: empty). On the disk when it resolves. `holder` is the process that
   * waits for its end.
   */
  programBegan(program: { root: string; at: number; holder: LeaseHolder }): Promise<string>;
  /** Safe to call twice. */
  programEnded(id: string, at: number): Promise<void>;
  /** Ends what ran for a process that is gone. Answers how many there were. */
  endGonePrograms(at: number, isGone: (holder: LeaseHolder) => boolean): Promise<number>;
  /** Never says less than the truth: spans that lie near to each other become one, so that few are kept. */
  historyAt(path: string, ctimeMs: number): Promise<FileHistory>;
  /** Labels, spans and bits up to this moment are lost. Safe to repeat. */
  noteLoss(at: number): Promise<void>;

  /** What the planner made of a turn; with `part`, of a later message of it, or what the writer made of one of its calls (`words of <callId>`). Undefined until it was kept. Goes with its turn. */
  plan(turnId: string, part?: string): Promise<unknown>;
  /** The first one wins: answers the one that is kept, on the disk, with an audit record of its digest. */
  keepPlan(turnId: string, plan: unknown, part?: string): Promise<unknown>;
  /** A grant covered this call of the turn; a call that is repeated after a crash is noted once. Along with the next write. */
  noteUse(turnId: string, callId: string, use: unknown): Promise<void>;
  /** All that was kept of a turn by the three verbs above, the oldest first. */
  listPlans(turnId: string): Promise<KeptPlan[]>;

  /** False, and nothing is spent, where the day's sum would exceed the limit, and for a day after a loss. On the disk when it resolves. */
  spendBits(spend: { agentId: string; day: string; bits: number; limit: number }): Promise<boolean>;
  /** `unknown` for a day after a loss. */
  bitsSpent(agentId: string, day: string): Promise<number | "unknown">;

  /** The versions of steering files that count for an agent, by path, the newest first; a few of each, so that one can go back. */
  listAccepted(agentId: string): Promise<AcceptedVersion[]>;
  /** The text of the newest of them, for showing what has changed; undefined where it was not kept. */
  acceptedText(agentId: string, path: string): Promise<string | undefined>;
  /** This version counts from now on. On the disk, with an audit record. */
  accept(version: FileVersion & { agentId: string; by: string; text?: string }): Promise<void>;
}

export type LabelWriter =
  | { type: "tool" }
  /** `of` is the file or folder that they named. */
  | { type: "owner"; actor: string; of: string };
