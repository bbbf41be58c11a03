/** The code that sends traces; loaded when they are enabled. */
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { createHttpFetch } from "../../models/wire/http-fetch.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { otlpJson } from "./otlp-json.ts";
import { createSpanSender, type SendSpans } from "./span-sender.ts";
import type { Span } from "./span.ts";
import { isSampled, traceOf } from "./trace-ids.ts";
import { spanOfMessage, spansOfTurn } from "./turn-spans.ts";

export interface TraceExporterParts {
  stores: Pick<TenantStores, "turns" | "outbox">;
  config(): Pick<Config, "telemetry">;
  /** What stands behind a `secret:` handle of the config. */
  resolve(handle: string): Promise<string>;
  version: string;
  clock: Clock;
  /** Told of what went wrong while nobody waited for it. */
  onError(error: unknown): void;
}

export interface TraceExporter {
  /** Throws what the storage does. */
  turnEnded(turnId: string): Promise<void>;
  /** Throws what the storage does. */
  delivered(outboxId: string): Promise<void>;
  dropped(): number;
  close(withinMs: number): Promise<void>;
}

const usualEndpoint = "http://127.0.0.1:4318/v1/traces";

export function openTraceExporter(parts: TraceExporterParts): TraceExporter {
  const { stores, config, clock } = parts;
  const sender = createSpanSender({ send: sendOver(parts), clock, onTrouble: parts.onError });

  function add(spans: readonly Span[]): void {
    const ratio = config().telemetry.sampleRatio ?? 1;
    sender.add(spans.filter(({ traceId }) => isSampled(traceId, ratio)));
  }

  return {
    async turnEnded(turnId) {
      const found = await stores.turns.recall(turnId);
      if (!found || !traceOf(found.turn).isWanted) return;
      const [inputs, journal] = await Promise.all([
        stores.turns.inputs(turnId),
        stores.turns.journal(turnId),
      ]);
      add(spansOfTurn({ ...found, inputs, journal }));
    },
    async delivered(outboxId) {
      const row = await stores.outbox.get(outboxId);
      const turn = row?.turnId ? await stores.turns.get(row.turnId) : undefined;
      const span = row && turn && traceOf(turn).isWanted ? spanOfMessage(turn, row) : undefined;
      if (span) add([span]);
    },
    dropped: sender.dropped,
    close: sender.close,
  };
}

/** "fetch failed" helps nobody to find out which address was wrong. What stands before an @ in it is a secret. */
function unreached(endpoint: string, error: unknown): Error {
  const { cause } = error as { cause?: unknown };
  const reason = cause instanceof Error ? cause.message : String((error as Error).message);
  const { origin } = new URL(endpoint);
  return new Error(`${origin} does not answer: ${reason}`, { cause: error });
}

/** These say that it may be tried again; what else is no success will never be one. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

function sendOver({ config, resolve, version }: TraceExporterParts): SendSpans {
  // Node's own would cost a small gateway a third of its memory.
  const fetch = createHttpFetch();
  return async (spans, signal) => {
    const { endpoint = usualEndpoint, headers = {} } = config().telemetry;
    const given = await Promise.all(
      Object.entries(headers).map(async ([name, value]) => [
        name,
        value.startsWith("secret:") ? await resolve(value) : value,
      ]),
    );
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { ...Object.fromEntries(given), "content-type": "application/json" },
      body: JSON.stringify(otlpJson(spans, version)),
      redirect: "error",
      signal,
    }).catch((error: unknown) => {
      throw signal.aborted ? error : unreached(endpoint, error);
    });
    await response.body?.cancel();
    if (response.ok) return "taken";
    return passing.has(response.status) ? "later" : "never";
  };
}
