/**
 * The gateway's log: a JSON line in the log file of the home, and a short one for the terminal. Secrets are removed
 * from every text before a line is built, so that they can never be written.
 */
import type { ChannelLog, LogIds } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { systemClock, timestamp, type Clock } from "../../infra/clock.ts";
import { firstPart } from "../../infra/cut-text.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import { openLogFile, type LogDisk } from "./log-file.ts";

export interface GatewayLog extends ChannelLog {
  /** As info, and into the file alone: for what happens all the time. */
  note(message: string, ids?: LogIds): void;
  /** Safe to call twice, and to write afterwards. */
  close(): void;
}

export interface GatewayLogParts {
  redactor: Redactor;
  /** Shows one line in the terminal. */
  tell(message: string): void;
}

export interface OpenLogParts extends GatewayLogParts {
  file: string;
  /** As the config has them now; the next line obeys. */
  settings(): Config["logging"];
  /** Whose gateway it is; in every line. */
  tenantId?: string;
  say: Say;
  /** The trace that a run belongs to. */
  traceIdOf?: ((runId: string) => string | undefined) | undefined;
  clock?: Clock;
  disk?: LogDisk;
}

/** Throws nothing, now or later: without a disk the gateway runs on without a log. */
export function openLog({
  redactor,
  tell,
  file,
  settings,
  tenantId,
  say,
  traceIdOf,
  clock = systemClock,
  disk,
}: OpenLogParts): GatewayLog {
  const output = openLogFile({
    file,
    limits: settings,
    sayLost: (count) =>
      JSON.stringify({ level: "warn", time: timestamp(clock), msg: say("logs.lost", { count }) }),
    ...(disk ? { disk } : {}),
  });
  const whose = tenantId === undefined ? {} : { tenantId };

  const at = (level: keyof ChannelLog, show: (words: string) => void) => (message: string, ids?: LogIds) => {
    if (levels.indexOf(level) < levels.indexOf(settings().level)) return;
    // First what is secret, then what is too long: half a secret would not be known for one.
    const words = firstPart(redactor.text(message), mostCharacters);
    const about = ids && shortened(redactor.data(traced(ids, traceIdOf)));
    output.write(JSON.stringify({ level, time: timestamp(clock), ...whose, ...about, msg: words }));
    show(words);
  };
  const nobody = () => undefined;
  return {
    debug: at("debug", nobody),
    note: at("info", nobody),
    info: at("info", tell),
    warn: at("warn", tell),
    error: at("error", tell),
    close: output.close,
  };
}

const levels: ReadonlyArray<Config["logging"]["level"]> = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "silent",
];

/** Lines are limited: nobody may fill the disk with a single one. */
const mostCharacters = 8000;
const mostIdCharacters = 400;

/** Links a trace to the lines of its run. */
function traced(ids: LogIds, traceIdOf: OpenLogParts["traceIdOf"]): LogIds {
  const traceId = ids["runId"] === undefined ? undefined : traceIdOf?.(ids["runId"]);
  return traceId === undefined ? ids : { ...ids, traceId };
}

/** What a line is about must not be mistaken for the line itself. */
function shortened(ids: LogIds): LogIds {
  const own = Object.entries(ids).filter(([name]) => !["level", "time", "msg"].includes(name));
  return Object.fromEntries(own.map(([name, id]) => [name, firstPart(id, mostIdCharacters)]));
}
