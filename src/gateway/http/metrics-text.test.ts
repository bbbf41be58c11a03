import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MeterFamily } from "../../infra/meters.ts";
import { metricsText } from "./metrics-text.ts";

/** A reader of its own, by the grammar of the format: what it cannot read is no exposition. */
function readBack(text: string): Array<{ name: string; labels: Record<string, string>; value: number }> {
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  return lines.flatMap((line) => {
    if (/^# (?:HELP [a-z_]+ .*|TYPE [a-z_]+ (?:counter|gauge|histogram))$/.test(line)) return [];
    const found = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s.exec(line);
    if (!found) throw new Error(`no sample: ${line}`);
    const [, name = "", inner = "", value = ""] = found;
    const labels = Object.fromEntries(
      [...inner.matchAll(/([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"(?:,|$)/g)].map(
        ([, label = "", escaped = ""]) => [
          label,
          escaped.replaceAll(/\\(.)/gs, (_whole, mark: string) => (mark === "n" ? "\n" : mark)),
        ],
      ),
    );
    return [{ name, labels, value: value === "+Inf" ? Infinity : Number(value) }];
  });
}

describe("the text of metrics", () => {
  it("OBS-01 says counters, gauges and histograms in the format of Prometheus", () => {
    const text = metricsText([
      {
        name: "requests_total",
        help: "Requests\nof callers.",
        labels: ["route"],
        type: "counter",
        series: [{ values: ["/v1"], value: 3 }],
      },
      {
        name: "latency_seconds",
        help: "Latency.",
        labels: ["route"],
        type: "histogram",
        bounds: [0.5, 1],
        series: [{ values: ["/v1"], counts: [1, 2, 4], sum: 9.5 }],
      },
    ]);
    expect(text).toBe(
      [
        "# HELP requests_total Requests\\nof callers.",
        "# TYPE requests_total counter",
        'requests_total{route="/v1"} 3',
        "# HELP latency_seconds Latency.",
        "# TYPE latency_seconds histogram",
        'latency_seconds_bucket{route="/v1",le="0.5"} 1',
        'latency_seconds_bucket{route="/v1",le="1"} 3',
        'latency_seconds_bucket{route="/v1",le="+Inf"} 7',
        'latency_seconds_sum{route="/v1"} 9.5',
        'latency_seconds_count{route="/v1"} 7',
        "",
      ].join("\n"),
    );
  });

  it("OBS-01 whatever a label holds, it is read back as it was and adds no line", () => {
    const row = fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.integer());
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const family: MeterFamily = {
          name: "a_total",
          help: "A.",
          labels: ["one", "two"],
          type: "counter",
          series: rows.map(([one, two, value]) => ({ values: [one, two], value })),
        };
        expect(readBack(metricsText([family]))).toEqual(
          rows.map(([one, two, value]) => ({ name: "a_total", labels: { one, two }, value })),
        );
      }),
    );
  });
});
