/** Programs that were started for an agent: how they are started, what is kept of them, and how one speaks to those that still run. */
import type { Destination } from "@pincer/sdk";
import type { ProgramCall } from "../walls/wall.ts";

/** `lost`: the process that had it is gone, and so is the program; what it said until then is kept. */
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
  /** Secrets are taken out of it, and of the slug. */
  command: string;
  cwd: string;
  /** Of whoever started it: nobody else's session sees it. */
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
  /** After so long it is ended. */
  timeoutMs?: number;
  timedOut?: true;
  /** No terminal could be made for it: it runs on plain pipes. */
  withoutTerminal?: true;
  /** The kind of wall that it runs behind; left out: none, it runs as Pincer itself does. */
  wall?: string;
  /** What it changed though it may not, by names in the workdir, and what was put back therefore. */
  putBack?: readonly string[];
  /** Whether there is more of that could not be found out. */
  unchecked?: true;
  /** The session was promised to hear of its end. */
  tells?: true;
  /** It did. */
  told?: true;
}

export interface ProgramStart {
  command: string;
  /** Where its own words begin, whatever the wall itself starts in. */
  cwd: string;
  /** What is really started, walls included. Asked once, right before; the id is its own. May throw: then nothing is started. */
  call(id: string): ProgramCall;
  sessionKey: string;
  turnId?: string | undefined;
  destination?: Destination | undefined;
  /** After so long it is ended. Undefined: never by itself. */
  timeoutMs?: number | undefined;
  /** The kind of wall that `call` puts around it; left out: none. */
  wall?: string | undefined;
  /** Ends what the wall started, where ending the process is not enough. What it throws concerns nobody. */
  end?: ((id: string) => Promise<void>) | undefined;
  /** Looks after what it may not change: whenever somebody looks at it, and at its end. */
  watch?: ProgramWatch | undefined;
}

export interface ProgramWatch {
  /** Puts back what was changed and answers with its names. What it throws is noted. */
  inspect(): Promise<string[]>;
  /** Whether there may be more than was put back so far. */
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
   * Takes up what a process that is gone has left: its programs are ended where they still run, and are `lost` from now on. Answers with those
   * that became so by it. Done by itself before the first program is started or looked for; safe to repeat.
   */
  reapLost(): Promise<ProgramRecord[]>;
  /** Those of hosts that are gone, of any session, which are over and whose end was promised to be told and was not. The oldest first. */
  untold(): Promise<ProgramRecord[]>;
  /** From now on it is not among them. Throws what the disk does. */
  markTold(id: string): Promise<void>;
  /** Ends all that run and keeps what they said; they are `lost` from now on. Never rejects; safe to call twice. */
  close(): Promise<void>;
}

export interface FoundProgram {
  record: ProgramRecord;
  /** What it said, as far as kept: at most the last 200 KB. */
  output(): Promise<ProgramOutput>;
  /** What was said since this was asked last, whether it still runs or not; of one whose host is gone all that is kept, once. */
  poll(): Promise<ProgramOutput>;
  /** Undefined where it does not run any more. */
  running: RunningProgram | undefined;
}

export interface ProgramOutput {
  text: string;
  /** Bytes that were said before what is kept. */
  dropped: number;
}

export interface RunningProgram {
  record(): ProgramRecord;
  output(): ProgramOutput;
  /** What was said since this was asked last. */
  poll(): ProgramOutput;
  /** Has what it changed and may not put back; the record tells of it. Never rejects. */
  inspect(): Promise<void>;
  /** Throws PincerError when it has ended. */
  write(text: string): void;
  /** Named keys: `enter`, `ctrl-c`, `up`, …. Throws PincerError for one that there is none of. */
  sendKey(key: string): void;
  /**
   * From now on nobody waits for it; `notify` hears of its end once; what it throws concerns nobody. Where it fails, or the host ends first, the next
   * host finds it among the untold.
   */
  background(notify?: (record: ProgramRecord) => unknown): void;
  /** Asks it to end, and after a moment ends it, with all that it started. Resolves when it is gone. Never rejects; safe to call twice. */
  kill(): Promise<void>;
  /** Resolves with the last record when it has ended. Never rejects. */
  ended: Promise<ProgramRecord>;
}
