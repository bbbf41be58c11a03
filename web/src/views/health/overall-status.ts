/** One word for the whole: never better than the worst that is shown below it. Pure. */
import type { HealthView } from "@pincer/sdk";
import type { DoctorFinding } from "./reports.ts";

export type Status = HealthView["status"];

const rank: readonly Status[] = ["ok", "degraded", "failing"];
const levels = { ok: "ok", warning: "degraded", problem: "failing" } as const;

/** Undefined while it is not known: what was measured is fine so far, and the doctor has not finished. */
export function overallStatus(
  measured: Status | undefined,
  found: readonly DoctorFinding["level"][] | undefined,
): Status | undefined {
  const known = [measured ?? "ok", ...(found ?? []).map((level) => levels[level])];
  const worst = rank[Math.max(...known.map((status) => rank.indexOf(status)))] ?? "failing";
  const isWhole = measured !== undefined && found !== undefined;
  return worst === "ok" && !isWhole ? undefined : worst;
}
