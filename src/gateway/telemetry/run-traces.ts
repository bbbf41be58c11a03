/** The trace that each run belongs to, for the lines of the log about it, whether or not traces are sent. */
import { createRecent } from "@pincer/sdk";
import type { TurnWatch } from "../../agent/turns/turn-events.ts";
import { parseTraceparent, traceOf } from "./trace-ids.ts";

export interface RunTraces {
  watch: Required<Pick<TurnWatch, "begun">>;
  traceIdOf(runId: string): string;
}

/** For the newest runs that are part of a caller's trace; the trace of any other run is derived from its id. */
const mostRemembered = 1000;

export function createRunTraces(): RunTraces {
  const given = createRecent<string>(mostRemembered);
  return {
    watch: {
      begun({ turnId, options }) {
        const trace = parseTraceparent(options["traceparent"]);
        if (trace) given.set(turnId, trace.traceId);
      },
    },
    traceIdOf: (runId) => given.get(runId) ?? traceOf({ turnId: runId, options: {} }).traceId,
  };
}
