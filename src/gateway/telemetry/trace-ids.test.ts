import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSampled, parseTraceparent, spanIdOf, traceOf } from "./trace-ids.ts";

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });

describe("the ids of traces", () => {
  it("OBS-05 are made of the id of the turn: the same after a restart, others for others", () => {
    const one = traceOf({ turnId: "r_1", options: {} });
    expect(one).toEqual(traceOf({ turnId: "r_1", options: {} }));
    expect(one.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(one.traceId).not.toBe(traceOf({ turnId: "r_2", options: {} }).traceId);
    expect(spanIdOf("core_run", "r_1")).toMatch(/^[0-9a-f]{16}$/);
    expect(spanIdOf("core_run", "r_1")).not.toBe(spanIdOf("gateway_out", "r_1"));
  });

  it("OBS-05 a traceparent of the caller is adopted, with the wish not to be traced", () => {
    const header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    expect(traceOf({ turnId: "r_1", options: { traceparent: header } })).toEqual({
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      parentSpanId: "00f067aa0ba902b7",
      isWanted: true,
    });
    expect(parseTraceparent(header.replace(/01$/, "00"))?.isWanted).toBe(false);
    expect(parseTraceparent(header.replace(/^00/, "01").concat("-later"))?.isWanted).toBe(true);
  });

  it.each([
    "",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01${" ".repeat(1000)}`,
    42,
    undefined,
  ])("OBS-05 %j is no traceparent, and the turn has a trace of its own", (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it("OBS-05 a ratio keeps about that share of the traces, each with all its spans", () => {
    fc.assert(
      fc.property(hex(32), (traceId) => {
        expect(isSampled(traceId, 1)).toBe(true);
        expect(isSampled(traceId, 0)).toBe(false);
      }),
    );
    const ids = Array.from(
      { length: 2000 },
      (_unused, at) => traceOf({ turnId: `r_${at}`, options: {} }).traceId,
    );
    const kept = ids.filter((id) => isSampled(id, 0.25)).length;
    expect(kept).toBeGreaterThan(400);
    expect(kept).toBeLessThan(600);
  });
});
