/**
 * Whether the process behind a lease still lives. A pid alone would not tell: it may have been given to
 * another process since. On Linux the boot and the moment within it at which a process started settle it. Nor does a pid mean
 * anything outside its namespace: two containers may share the host's name and boot, and count their processes apart.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { LeaseHolder } from "../stores.ts";

export interface ProcessLiveness {
  /** This process as a holder of leases. */
  self(id: string): LeaseHolder;
  /** True also when it cannot be known, as for a process of another machine or container: its lease runs out by itself. */
  isAlive(holder: LeaseHolder): boolean;
  /** True only when it is certain that this very process runs here: for whoever would end it. */
  isSurely(holder: LeaseHolder): boolean;
}

/** The system as far as it matters here; tests hand in another. */
export interface ProcessTable {
  host: string;
  /** Within which `pid` counts; "" where the system does not say. */
  pidNamespace: string;
  pid: number;
  /** When a running process started, in a form that no other process with its pid has; "" where the system does not say. */
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

/** A holder that does not say, as one of an older Pincer, is taken for one of here. */
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
    // Not Linux, or a /proc that hides it: then there is no more to go by than the host.
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
