/** Meters in Prometheus' text exposition format, version 0.0.4. */
import type { MeterFamily } from "../../infra/meters.ts";

export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

export function metricsText(families: readonly MeterFamily[]): string {
  return families.map(familyText).join("");
}

function familyText(family: MeterFamily): string {
  const { name, help, type, labels } = family;
  const lines = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
  if (family.type !== "histogram") {
    for (const { values, value } of family.series)
      lines.push(`${name}${labelText(labels, values)} ${numberText(value)}`);
    return `${lines.join("\n")}\n`;
  }
  for (const { values, counts, sum } of family.series) {
    let below = 0;
    for (const [at, count] of counts.entries()) {
      below += count;
      const bound = numberText(family.bounds[at] ?? Infinity);
      lines.push(`${name}_bucket${labelText([...labels, "le"], [...values, bound])} ${below}`);
    }
    lines.push(`${name}_sum${labelText(labels, values)} ${numberText(sum)}`);
    lines.push(`${name}_count${labelText(labels, values)} ${below}`);
  }
  return `${lines.join("\n")}\n`;
}

function labelText(labels: readonly string[], values: readonly string[]): string {
  if (labels.length === 0) return "";
  return `{${labels.map((label, at) => `${label}="${escapeValue(values[at] ?? "")}"`).join(",")}}`;
}

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

/** A value chosen by somebody else must not end the line or the label. */
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

const numberText = (value: number): string =>
  value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value);
