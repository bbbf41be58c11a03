/** The gateway's log, read while it is written. */
import type { Clock } from "../../infra/clock.ts";
import { followLog, tailLog } from "../logs/read-log.ts";
import type { Api } from "./api.ts";

const usualLines = 200;

export function createLogsApi({
  file,
  clock,
  stopping,
}: {
  file: string;
  clock: Clock;
  /** Aborts when the gateway stops. */
  stopping?: AbortSignal | undefined;
}): Api<"logs"> {
  return {
    async tail({ lines = usualLines, level, follow }, until) {
      if (!follow || !until?.emit) return { lines: await tailLog({ file, lines, level }) };
      const ends = [until.signal, stopping].filter((each) => each !== undefined);
      const signal = AbortSignal.any(ends);
      for await (const line of followLog({ file, lines, level, clock, signal }))
        until.emit("logs.line", line);
      return { lines: [] };
    },
  };
}
