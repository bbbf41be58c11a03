import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { otlpJson } from "./otlp-json.ts";
import type { Span } from "./span.ts";
import { startCollector, type Collector } from "./testing/collector.ts";

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

const span: Span = {
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: "00f067aa0ba902b7",
  parentSpanId: "00f067aa0ba902b8",
  name: "gateway_out",
  kind: "client",
  startMs: 1_767_268_800_000,
  endMs: 1_767_268_800_125,
  attributes: { run_id: "r_1", attempts: 2, share: 0.5, direct: true },
  error: "expired",
};

type Exported = Parameters<OTLPTraceExporter["export"]>[0][number];

/** The same span as the official exporter wants it. */
const official = (): Exported =>
  ({
    name: span.name,
    kind: 2,
    spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: 1 }),
    parentSpanContext: { traceId: span.traceId, spanId: span.parentSpanId ?? "", traceFlags: 1 },
    startTime: [1_767_268_800, 0],
    endTime: [1_767_268_800, 125_000_000],
    status: { code: 2, message: "expired" },
    attributes: span.attributes,
    links: [],
    events: [],
    duration: [0, 125_000_000],
    ended: true,
    resource: {
      attributes: { "service.name": "pincer", "service.version": "1" },
      getRawAttributes: () => [],
      merge: () => undefined,
    },
    instrumentationScope: { name: "pincer", version: "1" },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }) as unknown as Exported;

describe("spans for a collector", () => {
  it("OBS-05 are written as the official exporter writes them", async () => {
    const exporter = new OTLPTraceExporter({ url: collector.endpoint });
    const outcome = await new Promise((resolve) => exporter.export([official()], resolve));
    await exporter.shutdown();
    expect(outcome).toMatchObject({ code: 0 });
    const theirs = JSON.parse(collector.bodies[0] ?? "{}");
    const ours = JSON.parse(JSON.stringify(otlpJson([span], "1")));
    const [theirSpan] = theirs.resourceSpans[0].scopeSpans[0].spans;
    const [ourSpan] = ours.resourceSpans[0].scopeSpans[0].spans;
    // Flags are about how it was decided to trace; ours says nothing of it.
    delete theirSpan.flags;
    expect(ourSpan).toEqual(theirSpan);
    expect(ours.resourceSpans[0].resource.attributes).toEqual([
      { key: "service.name", value: { stringValue: "pincer" } },
      { key: "service.version", value: { stringValue: "1" } },
    ]);
    expect(Object.keys(ours.resourceSpans[0].scopeSpans[0])).toEqual(
      expect.arrayContaining(["scope", "spans"]),
    );
  });
});
