/** Programs that were started for an agent: how to start them, what is stored, and how to control running ones. */
import type { Destination } from "@pincer/sdk";
import type { ProgramCall } from "../walls/wall.ts";

/** `lost`: its host process is gone, and so is the program; its output until then is stored. */
export const programStates = ["running", "backgrounded", "exited", "lost"] as const;
export type ProgramState = (typeof programStates)[number];

/** It does not run any more. */
export const isOver = ({ state }: Pick<ProgramRecord, "state">): boolean =>
  state === "exited" || state === "lost";

export interface ProgramRecord {
  /** `p_…`, never used twice. */
  id: string;
  /** Short words of the command, for people: `npm-test`. */
  slug: string;
  state: ProgramState;
  /** Without secrets, like the slug. */
  command: string;
  cwd: string;
  /** The session that started it; no other session sees it. */
  sessionKey: string;
  turnId?: string;
  /** Where the turn that started it answers. */
  destination?: Destination;
  pid: number;
  /** RFC 3339. */
  startedAt: string;
  endedAt?: string;
  exitCode?: number;
  /** Such as `SIGKILL`, where a signal ended it. */
  signal?: string;
  /** The time limit. */
  timeoutMs?: number;
  timedOut?: true;
  /** No terminal could be made for it: it runs on plain pipes. */
  withoutTerminal?: true;
  /** The kind of wall around it; left out: none, it runs as Pincer itself does. */
  wall?: string;
  /** What it changed without permission, by names in the workdir, and was restored. */
  putBack?: readonly string[];
  /** More about some of them. */
  putBackAs?: Readonly<Record<string, PutBack>>;
  /** It was not to change what runs by itself either. */
  guarded?: true;
  /** The check for such changes was incomplete. */
  unchecked?: true;
  /** The session is to be notified of its end. */
  tells?: true;
  /** It was notified. */
  told?: true;
}

export interface PutBack {
  /** Where what the program wrote is kept. */
  keptAs?: string;
  /** It would have run by itself outside every wall. */
  runs?: true;
}

export interface ProgramStart {
  command: string;
  /** Its start directory, whatever the wall starts in. */
  cwd: string;
  /** The actual call, walls included. Called once, right before the start. If it throws, nothing is started. */
  call(id: string): ProgramCall;
  sessionKey: string;
  turnId?: string | undefined;
  destination?: Destination | undefined;
  /** The time limit. Undefined: none. */
  timeoutMs?: number | undefined;
  /** The kind of wall that `call` uses; left out: none. */
  wall?: string | undefined;
  /** Where it can write; left out: everywhere. */
  writes?: Writes | undefined;
  /** Ends what the wall started, if ending the process is not enough. Its errors are ignored. */
  end?: ((id: string) => Promise<void>) | undefined;
  /** Protects what it may not change: checked whenever it is polled, and at its end. */
  watch?: ProgramWatch | undefined;
}

/** A real path below which it can write. */
export type Writes = { below: string } | "everywhere";

/** Whoever wants to know later when a program may have changed files. */
export interface ProgramSpans {
  /** Before it runs: on the disk when it resolves, and if it throws, nothing is started. What it answers is called at the end. */
  began(writes: Writes): Promise<() => Promise<void>>;
  /** What ran for processes that are gone has been ended. */
  endGone(): Promise<void>;
}

export interface ProgramWatch {
  /** Restores changes and returns their names. Errors are noted. */
  inspect(): Promise<string[]>;
  /** More about what was restored so far, by name. */
  putBack?(): Readonly<Record<string, PutBack>>;
  /** Whether it also guards what runs by itself. */
  guardsAll?: boolean;
  /** Whether there may be more changes than were restored. */
  isPartial?(): boolean;
  /** Safe to call twice. */
  end(): void;
}

export interface Programs {
  /** Resolves when it runs. Throws PincerError when too many run, or it cannot be started. */
  start(start: ProgramStart): Promise<RunningProgram>;
  /** Those of a session, the newest first, running or not. */
  list(sessionKey: string): Promise<ProgramRecord[]>;
  /** By id or slug, of this session; undefined when there is none. */
  find(sessionKey: string, name: string): Promise<FoundProgram | undefined>;
  /**
   * Takes over from a host that is gone: ends its running programs and marks them `lost`. Returns the ones marked.
   * Runs by itself before the first program is started or looked up; safe to repeat.
   */
  reapLost(): Promise<ProgramRecord[]>;
  /** Ended programs of gone hosts, of any session, whose sessions were not notified as promised. Oldest first. */
  untold(): Promise<ProgramRecord[]>;
  /** Removes it from `untold`. Throws what the disk does. */
  markTold(id: string): Promise<void>;
  /** Ends all running ones and stores their output; they are `lost` then. Never rejects; safe to call twice. */
  close(): Promise<void>;
}

export interface FoundProgram {
  record: ProgramRecord;
  /** The stored output: at most the last 200 KB. */
  output(): Promise<ProgramOutput>;
  /** The output since the last call; for a program of a gone host everything stored, once. */
  poll(): Promise<ProgramOutput>;
  /** Undefined if it has ended. */
  running: RunningProgram | undefined;
}

export interface ProgramOutput {
  text: string;
  /** Bytes before the stored output. */
  dropped: number;
}

export interface RunningProgram {
  record(): ProgramRecord;
  output(): ProgramOutput;
  /** The output since the last call. */
  poll(): ProgramOutput;
  /** Restores what it changed without permission; the record tells. Never rejects. */
  inspect(): Promise<void>;
  /** Throws PincerError when it has ended. */
  write(text: string): void;
  /** Named keys: `enter`, `ctrl-c`, `up`, …. Throws PincerError for an unknown one. */
  sendKey(key: string): void;
  /**
   * Nobody waits for it any more; `notify` is called once at its end, and its errors are ignored. If it fails, or the
   * host ends first, the next host finds it in `untold`.
   */
  background(notify?: (record: ProgramRecord) => unknown): void;
  /**
   * Asks it to end, and after a moment kills it with all its children. Resolves when it is gone. Never rejects; safe
   * to call twice.
   */
  kill(): Promise<void>;
  /** Resolves with the last record when it has ended. Never rejects. */
  ended: Promise<ProgramRecord>;
}
