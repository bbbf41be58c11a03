/**
 * Node would print an uncaught error with any secrets in it, and exit. Here it becomes one redacted log line and a
 * clean exit status; the next start continues with what is on disk.
 */
import type { Redactor } from "../../infra/redactor.ts";
import { systemClock, timestamp } from "../../infra/clock.ts";
import { openLogFile } from "../../gateway/logs/log-file.ts";

export interface Faults {
  /** Resolves with what was said about the first one. */
  happened: Promise<string>;
  /** Nothing is caught any more. Safe to call twice. */
  forget(): void;
}

/** The process as far as it matters here; tests hand in another. */
export type FaultSource = Pick<NodeJS.EventEmitter, "on" | "removeListener">;

export function catchFaults(parts: { source: FaultSource; redactor: Redactor; file: string }): Faults {
  const { source, redactor, file } = parts;
  const first = Promise.withResolvers<string>();
  const hear = (error: unknown) => {
    const msg = redactor.text((error instanceof Error && error.stack) || String(error));
    const log = openLogFile({ file, limits: () => ({ maxBytes: Infinity, keepFiles: 0 }), sayLost: String });
    log.write(JSON.stringify({ level: "fatal", time: timestamp(systemClock), msg }));
    log.close();
    first.resolve(msg);
  };
  source.on("uncaughtException", hear);
  return { happened: first.promise, forget: () => void source.removeListener("uncaughtException", hear) };
}
