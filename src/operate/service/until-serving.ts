import type { Clock } from "../../infra/clock.ts";
import type { ServiceRecords } from "./service-record.ts";

const patienceMs = 15_000;
const lookAgainMs = 50;

/**
 * Waits for the gateway that the system starts: systemd says that a program runs before the program can answer.
 * False if it does not serve in time; the system goes on trying.
 */
export async function untilServing({
  records,
  clock,
  signal,
}: {
  records: Pick<ServiceRecords, "read">;
  clock: Clock;
  signal: AbortSignal;
}): Promise<boolean> {
  for (const end = clock.monotonic() + patienceMs; ; await clock.sleep(lookAgainMs, signal)) {
    if (await records.read()) return true;
    if (clock.monotonic() >= end) return false;
  }
}
