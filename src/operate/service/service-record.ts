/**
 * Which process serves this home, and how it was started: written when the gateway is ready, removed when it has
 * stopped. The home's lock says whether one runs; this says which. A record of a dead process is detected by the
 * start time of its pid, and removed.
 */
import { rm } from "node:fs/promises";
import type { Home } from "../../config/home.ts";
import { readRegularFile } from "../../config/read-regular-file.ts";
import { replacePrivateFile } from "../../config/write-private-file.ts";
import { createProcessLiveness, type ProcessLiveness } from "../../storage/sessions/process-liveness.ts";
import type { LeaseHolder } from "../../storage/stores.ts";

/** Who restarts it: a person at a terminal, `gateway start --daemon`, or the system. */
export type ServiceMode = "foreground" | "background" | "system";

export interface ServiceRecord {
  /** The first of them; null where there is none. */
  channel: string | null;
  channels: string[];
  pid: number;
  startedAt: string;
  statePath: string;
  logPath: string;
  version: string;
  /** Where browsers and programs reach it; null if it serves no HTTP. */
  address: string | null;
  port: number | null;
  mode: ServiceMode;
  /** The flags of `pincer gateway run`. */
  arguments: string[];
  process: Pick<LeaseHolder, "host" | "pidNamespace" | "processStart">;
}

export type ServiceFacts = Omit<ServiceRecord, "pid" | "statePath" | "logPath" | "process" | "channel">;

export interface ServiceRecords {
  /** The gateway that runs, if it has written down that it does; clears away what a dead one left. Never throws. */
  read(): Promise<ServiceRecord | undefined>;
  /** For the gateway itself, when it is ready. Throws what the disk does. */
  write(facts: ServiceFacts): Promise<void>;
  /** For the gateway itself, when it has stopped; leaves the record of any other. Never throws. */
  clear(): Promise<void>;
  /** True only when it is certain that the record's own process runs: another may have its pid by now. */
  isSurely(record: ServiceRecord): boolean;
}

export function createServiceRecords(
  home: Pick<Home, "serviceFile" | "gatewayLogFile">,
  liveness: ProcessLiveness = createProcessLiveness(),
): ServiceRecords {
  const { serviceFile, gatewayLogFile } = home;
  const self = liveness.self("gateway");

  const isAlive = (record: ServiceRecord) => liveness.isAlive(holderOf(record));
  const load = async () => {
    const text = await readRegularFile(serviceFile).catch(() => undefined);
    return text === undefined ? undefined : { text, record: readRecord(text) };
  };

  async function clearIf(isOver: (record: ServiceRecord | undefined) => boolean): Promise<void> {
    const found = await load();
    if (found && isOver(found.record)) await rm(serviceFile, { force: true }).catch(() => undefined);
  }

  return {
    async read() {
      const found = await load();
      if (!found) return undefined;
      const { record } = found;
      if (record && isAlive(record)) return record;
      await clearIf((now) => now === undefined || !isAlive(now));
      return undefined;
    },
    async write(facts) {
      const { pid, host, pidNamespace = "", processStart } = self;
      const record: ServiceRecord = {
        channel: facts.channels[0] ?? null,
        ...facts,
        pid,
        statePath: serviceFile,
        logPath: gatewayLogFile,
        process: { host, pidNamespace, processStart },
      };
      await replacePrivateFile(serviceFile, `${JSON.stringify(record, null, 2)}\n`);
    },
    clear: () => clearIf((record) => record?.pid === self.pid),
    isSurely: (record) => liveness.isSurely(holderOf(record)),
  };
}

const holderOf = ({ pid, process }: ServiceRecord): LeaseHolder => ({ id: "gateway", pid, ...process });

/** Undefined for a file that is none of ours or was written by a version that said other things. */
function readRecord(text: string): ServiceRecord | undefined {
  try {
    const record = JSON.parse(text) as ServiceRecord;
    const { pid, channels, process, mode } = record;
    const isWhole =
      Number.isSafeInteger(pid) &&
      pid > 1 &&
      isWords(channels) &&
      isWords(record.arguments) &&
      ["foreground", "background", "system"].includes(mode) &&
      isWords([process.host, process.processStart, record.startedAt, record.version]);
    return isWhole ? record : undefined;
  } catch {
    return undefined;
  }
}

const isWords = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
