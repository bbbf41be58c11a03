/** What can be seen in a command before it runs. */

export interface SeenWord {
  /**
   * `fixed`: the shell will use this very text. `pattern`: the names of files that fit. `dynamic`: known only when it runs; `text` is what can be
   * seen of it.
   */
  type: "fixed" | "pattern" | "dynamic";
  /** Quotes and backslashes are gone. */
  text: string;
}

export interface SeenAssignment {
  name: string;
  value: SeenWord;
}

export interface SeenRedirect {
  /** `>`, `>>`, `<`, … */
  operator: string;
  /** A file, or the number of a descriptor behind `>&` and `<&`. Undefined for a here-document. */
  target: SeenWord | undefined;
  /** Whether a file may be made or changed by it. */
  writes: boolean;
}

/** Where a simple command stands, from the outside inwards. `wrapped`: another program runs it, as `env`, `sh -c` or `xargs` do. */
export type Standing =
  | "pipeline"
  | "subshell"
  | "substitution"
  | "function"
  | "here-document"
  | "background"
  | "wrapped";

export interface SimpleCommand {
  /** The program and its arguments; empty where there is an assignment or a redirect alone. */
  words: readonly SeenWord[];
  assignments: readonly SeenAssignment[];
  redirects: readonly SeenRedirect[];
  standing: readonly Standing[];
  /** More arguments come while it runs, as with `xargs`. */
  hasMoreWords: boolean;
  /** Why not all that it runs can be seen; undefined where it can. */
  hides?: string;
}

export type CommandReading =
  /** No shell would run it, or it is too much to be read. */
  | { type: "unreadable"; reason: string }
  /** In the order of the text; what a wrapper runs stands behind the wrapper. */
  | { type: "read"; commands: readonly SimpleCommand[] };
