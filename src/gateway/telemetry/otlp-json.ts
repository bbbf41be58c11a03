/** Spans in the collector's format: OTLP in JSON, with ids in hexadecimal and times in nanoseconds as text. */
import type { Span } from "./span.ts";

const kinds = { internal: 1, server: 2, client: 3 } as const;
const failed = 2;

export function otlpJson(spans: readonly Span[], version: string): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({ "service.name": "pincer", "service.version": version }),
          droppedAttributesCount: 0,
        },
        scopeSpans: [{ scope: { name: "pincer", version }, spans: spans.map(spanJson) }],
      },
    ],
  };
}

const spanJson = (span: Span): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: attributesOf(span.attributes),
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  status: span.error === undefined ? { code: 0 } : { code: failed, message: span.error },
  links: [],
  droppedLinksCount: 0,
});

const attributesOf = (attributes: Span["attributes"]): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

function valueOf(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}

const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;
