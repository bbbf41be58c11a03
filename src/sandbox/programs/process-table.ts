/**
 * Finds and ends the processes of a program. A pid is not enough: it may have been reused. Only Linux tells more;
 * elsewhere there are none.
 */
import { readdir, readFile } from "node:fs/promises";

export interface ProcessTable {
  /** Unique for its pid; undefined if there is none, "" if the system does not say. */
  startOf(pid: number): Promise<string | undefined>;
  /** Ends every process that has one of these marks, or whose session leader was the given one and is gone. */
  endAll(belonging: Belonging): Promise<void>;
}

export interface Belonging {
  ids: ReadonlySet<string>;
  /** Leaders of sessions that are ours: pid to start. */
  leaders: ReadonlyMap<number, string>;
}

/** The variable that each program and its children inherit. */
export const programMark = "PINCER_PROGRAM";

export const systemProcesses: ProcessTable = {
  startOf: async (pid) => (process.platform === "linux" ? (await statOf(pid))?.start : startBySignal(pid)),
  async endAll(belonging) {
    if (process.platform !== "linux") return;
    const names = await readdir("/proc").catch(() => []);
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
    await Promise.all(pids.map((pid) => endIfOurs(pid, belonging)));
  },
};

async function endIfOurs(pid: number, { ids, leaders }: Belonging): Promise<void> {
  if (pid === process.pid) return;
  const found = await statOf(pid);
  if (!found) return;
  const leader = leaders.get(found.session);
  const isOfSession = leader !== undefined && (await isStillOurs(found.session, leader));
  if (!isOfSession && !ids.has((await markOf(pid)) ?? "")) return;
  const now = await statOf(pid);
  // The pid may have been reused since the check.
  if (now?.start !== found.start) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone, or not ours to end.
  }
}

/** A session keeps its number while it has members; a new process with the number of its leader would be the leader of another one. */
async function isStillOurs(session: number, leaderStart: string): Promise<boolean> {
  const leader = await statOf(session);
  return leader === undefined || leader.start === leaderStart;
}

async function statOf(pid: number): Promise<{ session: number; start: string } | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything, so count from its end: state is the 3rd field, session the 6th, start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return { session: Number(fields[3]), start: `${await bootId()}/${fields[19]}` };
  } catch {
    // Gone, or hidden from us.
    return undefined;
  }
}

/** The same for as long as this process lives. */
let boot: Promise<string> | undefined;
const bootId = () =>
  (boot ??= readFile("/proc/sys/kernel/random/boot_id", "latin1").then((text) => text.trim()));

async function markOf(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  const entry = environment.split("\0").find((each) => each.startsWith(`${programMark}=`));
  return entry?.slice(programMark.length + 1);
}

function startBySignal(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return "";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "" : undefined;
  }
}
