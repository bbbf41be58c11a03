/**
 * What keeps a program inside its place. A wall turns the words of a program into the words of another one that runs it enclosed: a list of
 * arguments, made of typed fields alone, so that no text of a model is ever read as an option of the wall itself.
 */

/** A program to start: nothing here is read by a shell. */
export interface ProgramCall {
  /** An absolute path, or a name that is looked for in the PATH of `environment`. */
  file: string;
  args: readonly string[];
  /** A real path. */
  cwd: string;
  /** Device and number of that directory; a wall that can look again from inside refuses any other. */
  directoryId?: string;
  /** All of it: nothing is inherited. */
  environment: Readonly<Record<string, string>>;
}

export interface Enclosure {
  /** The one place that may be written. A real path. */
  workdir: string;
  /** What may be read besides the system's own directories. Real paths that are there. */
  readable: readonly string[];
  /** Never visible, even inside something readable, but for a workdir in it: Pincer's own home. Real paths. */
  closed: readonly string[];
  network: EnclosureNetwork;
  /** What of the workdir no program may change: names relative to it, of files and directories that are there and no links. Landlock cannot keep them. */
  readOnly?: readonly string[];
}

export type EnclosureNetwork =
  | { type: "none" }
  /** Nothing but this socket, behind which the egress broker's proxy listens; `hosts` are named for those walls that have a way of their own. */
  | { type: "broker"; socket: string; hosts: readonly string[] };

export const wallKinds = ["bubblewrap", "seatbelt", "landlock", "container", "microvm"] as const;
export type WallKind = (typeof wallKinds)[number];

export interface Wall {
  kind: WallKind;
  /** In words for people: program and version. */
  description: string;
  /** What it does not keep in, in words for people; empty where it keeps in all that it should. */
  gaps: readonly string[];
  /**
   * Pure. The result is started in place of the call, with a terminal of its own or in a session of its own (`detached`): never in that of somebody's
   * shell, into which a program could type; and with the result's environment alone, which lacks what would steer the wall itself. `name` is one's own
   * for each program, of letters, digits, `_`, `.` and `-`; some walls end it by that. Throws PincerError for an enclosure that would keep nothing in.
   */
  enclose(call: ProgramCall, enclosure: Enclosure, name: string): ProgramCall;
  /** Ends what `enclose` started under this name where ending the started process is not enough. Never throws. */
  end?(name: string): Promise<void>;
}

export type WallProfile = "none" | "local" | "container" | "microvm";

/** `unwalled`: programs would run as the gateway itself does, so none runs that the owner did not write, approve or call safe. `reason` is in words, and so is what to do about it. */
export type WallChoice =
  | { type: "walled"; profile: WallProfile; wall: Wall }
  | { type: "unwalled"; profile: WallProfile; reason: string; next?: string };
