/** Which process a turn runs in. Several may share a home: what runs in another one that lives is not ours to end. */
import { systemProcesses, type ProcessTable } from "../programs/process-table.ts";

/** A pid alone would not tell: it may have been given to another process since. */
export interface Host {
  pid: number;
  start: string;
}

export interface Hosts {
  /** This process. */
  own(): Promise<Host>;
  /** Whether it is another process, and lives. Nobody is dead. */
  isElsewhere(host: Host | undefined): Promise<boolean>;
}

export function createHosts({
  processes = systemProcesses,
  pid = process.pid,
}: { processes?: Pick<ProcessTable, "startOf">; pid?: number } = {}): Hosts {
  let found: Promise<Host> | undefined;
  const own = () => (found ??= processes.startOf(pid).then((start = "") => ({ pid, start })));
  return {
    own,
    async isElsewhere(host) {
      if (!host) return false;
      const { start } = await own();
      if (host.pid === pid && host.start === start) return false;
      return (await processes.startOf(host.pid)) === host.start;
    },
  };
}
