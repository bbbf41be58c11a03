/**
 * Whether the process of a lease is alive. A pid is not enough: it may have been reused. On Linux the boot id and the
 * start time within it decide. A pid is also meaningless outside its namespace: two containers may share host name
 * and boot, and count their processes separately.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { LeaseHolder } from "../stores.ts";

export interface ProcessLiveness {
  /** This process as a holder of leases. */
  self(id: string): LeaseHolder;
  /** True also if unknown, as for a process of another machine or container: its lease expires by itself. */
  isAlive(holder: LeaseHolder): boolean;
  /** True only if this very process certainly runs here: for callers that would kill it. */
  isSurely(holder: LeaseHolder): boolean;
}

/** The part of the system that matters here; replaceable in tests. */
export interface ProcessTable {
  host: string;
  /** The namespace of `pid`; "" if the system does not say. */
  pidNamespace: string;
  pid: number;
  /** When a running process started, unique for its pid; "" if the system does not say. */
  startOf(pid: number): { type: "running"; start: string } | { type: "none" };
}

export function createProcessLiveness(table: ProcessTable = systemProcesses): ProcessLiveness {
  return {
    self(id) {
      const own = table.startOf(table.pid);
      const processStart = own.type === "running" ? own.start : "";
      const { pid, host, pidNamespace } = table;
      return { id, pid, host, pidNamespace, processStart };
    },
    isAlive(holder) {
      if (holder.host !== table.host || isElsewhere(holder, table)) return true;
      const found = table.startOf(holder.pid);
      if (found.type === "none") return false;
      return found.start === "" || holder.processStart === "" || found.start === holder.processStart;
    },
    isSurely(holder) {
      if (holder.host !== table.host || isElsewhere(holder, table)) return false;
      const found = table.startOf(holder.pid);
      return found.type === "running" && found.start !== "" && found.start === holder.processStart;
    },
  };
}

/** A holder that does not say, as in older versions, counts as local. */
function isElsewhere({ pidNamespace }: LeaseHolder, here: ProcessTable): boolean {
  return Boolean(pidNamespace) && here.pidNamespace !== "" && pidNamespace !== here.pidNamespace;
}

const systemProcesses: ProcessTable = {
  host: hostname(),
  pidNamespace: ownPidNamespace(),
  pid: process.pid,
  startOf: process.platform === "linux" ? startFromProc : startFromSignal,
};

function ownPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Not Linux, or /proc hides it: only the host name is left.
    return "";
  }
}

function startFromProc(pid: number): ReturnType<ProcessTable["startOf"]> {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything, so count from its end: state is the 3rd field, start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    if (state === "Z" || state === "X") return { type: "none" };
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { type: "running", start: `${boot}/${fields[19]}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return startFromSignal(pid);
    throw error;
  }
}

/** Also for a /proc that hides other users' processes. */
function startFromSignal(pid: number): ReturnType<ProcessTable["startOf"]> {
  try {
    process.kill(pid, 0);
    return { type: "running", start: "" };
  } catch (error) {
    // Not permitted means that there is one.
    if ((error as NodeJS.ErrnoException).code === "EPERM") return { type: "running", start: "" };
    return { type: "none" };
  }
}
