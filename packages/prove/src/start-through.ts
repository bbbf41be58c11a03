/** The commands that a process is started through when the system itself shall fail it. */
import { spawnSync } from "node:child_process";
import type { Cut } from "./cut.ts";

/** Empty: nothing is needed. */
export function startThrough(cut: Cut): string[] {
  if (cut.type === "file-limit") {
    // The shell counts in blocks of 512 bytes.
    return ["sh", "-c", `ulimit -S -f ${cut.kilobytes * 2}; exec "$@"`, "sh"];
  }
  if (cut.type !== "syscall") return [];
  const { action, call, hit } = cut;
  const injury = action === "kill" ? "signal=SIGKILL" : `error=${action.toUpperCase()}`;
  // A disk that is full stays full for a while.
  const when = action === "enospc" ? `${hit}..${hit + 20}` : String(hit);
  return [
    ...quietTracer,
    "-e",
    `trace=${call}`,
    "-e",
    `inject=${call}:${injury}:when=${when}`,
    "-o",
    "/dev/null",
  ];
}

/** Follows all threads; what is not asked for costs nothing. */
const quietTracer = ["strace", "-f", "-qq", "--seccomp-bpf"];

/** What changes files or reaches the network, for a record that a home can be rebuilt from. */
const recordedCalls =
  "openat,pwrite64,pwritev,write,writev,ftruncate,fdatasync,fsync,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,connect,sendmsg,sendto";

/** Writes down everything that the process wrote, to `file`. */
export const recordingTracer = (file: string): string[] => [
  ...quietTracer,
  "-yy",
  "-xx",
  "-s",
  "16777216",
  "-e",
  `trace=${recordedCalls}`,
  "-o",
  file,
];

/** Whether strace is there and is allowed to do its work. */
export function canTrace(environment: Record<string, string | undefined>): boolean {
  const [command = "", ...args] = [...quietTracer, "-e", "trace=openat", "-o", "/dev/null", "true"];
  return spawnSync(command, args, { env: environment, stdio: "ignore" }).status === 0;
}
