/** One fault: which call on which file of the home, the how-many-eth of its thread, and what the system answers instead of doing it. */

export const errorCodes = ["EIO", "ENOSPC", "EROFS"] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** `lie`: the call says that it was done, and was not. */
export type Manner = { type: "error"; code: ErrorCode } | { type: "lie" };

export interface Point {
  call: string;
  /** Below the home; `.` is the home itself, `*` any file. */
  file: string;
  /** Counted from 1, for each thread by itself. */
  at: number;
  manner: Manner;
  /** Also every later one, until the process ends. */
  lasts: boolean;
}

export const walkedCalls: readonly string[] = [
  "pwrite64",
  "write",
  "fsync",
  "fdatasync",
  "ftruncate",
  "rename",
  "unlink",
  "mkdir",
  "openat",
  "read",
  "pread64",
];

/** How each call is made to fail. A write that lies, lies about one page; a truncation, a rename or a removal that lies would be another disk. */
export function mannersOf(call: string): Array<Pick<Point, "manner" | "lasts">> {
  const error = (code: ErrorCode, lasts: boolean) => ({ manner: { type: "error", code } as const, lasts });
  const lie = (lasts: boolean) => ({ manner: { type: "lie" } as const, lasts });
  switch (call) {
    case "pwrite64":
      return [error("EIO", false), error("ENOSPC", true), lie(false)];
    case "write":
      return [error("EIO", false), error("ENOSPC", true)];
    case "fsync":
    case "fdatasync":
      return [error("EIO", false), error("EIO", true), lie(false), lie(true)];
    case "ftruncate":
    case "rename":
    case "unlink":
    case "mkdir":
      return [error("EIO", false), error("EROFS", true)];
    default:
      return [error("EIO", false), error("EIO", true)];
  }
}

/** `pwrite64:core.db-wal#37=ENOSPC+`; the plus says that it lasts. */
export const formatPoint = ({ call, file, at, manner, lasts }: Point): string =>
  `${call}:${file}#${at}=${manner.type === "lie" ? "lie" : manner.code}${lasts ? "+" : ""}`;

/** Undefined when the text is none. */
export function parsePoint(text: string): Point | undefined {
  const [, call, file, at, how, lasts] = /^(\w+):(.+)#(\d+)=(\w+)(\+?)$/.exec(text) ?? [];
  if (call === undefined || file === undefined || !walkedCalls.includes(call)) return undefined;
  const code = errorCodes.find((name) => name === how);
  if (!code && how !== "lie") return undefined;
  return {
    call,
    file,
    at: Number(at),
    manner: code ? { type: "error", code } : { type: "lie" },
    lasts: lasts === "+",
  };
}

/** A page; the header of a frame in the log is smaller, and counts as written all the same. */
const writtenBytes = 4096;

/** The command that a gateway is started through so that the point is hit. It is the tracer that is the grandchild, so the process id is the gateway's. */
export function faultTracer(point: Point, { home, log }: { home: string; log: string }): string[] {
  const { call, file, at, manner, lasts } = point;
  const lie = call === "pwrite64" ? writtenBytes : 0;
  const injury = manner.type === "lie" ? `retval=${lie}` : `error=${manner.code}`;
  return [
    ...quietTracer,
    ...(file === "*" ? [] : ["-P", file === "." ? home : `${home}/${file}`]),
    "-e",
    `trace=${call}`,
    "-e",
    `inject=${call}:${injury}:when=${at}${lasts ? "+" : ""}`,
    "-o",
    log,
  ];
}

/** Whether the tracer's log says that the point was hit: another run may make fewer calls than the one that was recorded. */
export const wasHit = (log: string): boolean => log.includes("(INJECTED)");

/** The command that writes down what a gateway does with its home. */
export const recordingTracer = (log: string): string[] => [
  ...quietTracer,
  "-y",
  "-e",
  `trace=${walkedCalls.join(",")}`,
  "-o",
  log,
];

const quietTracer = ["strace", "-D", "-f", "-qq", "--seccomp-bpf"];
