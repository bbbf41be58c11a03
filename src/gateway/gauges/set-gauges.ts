/** Sets the meters that are not counters: the current state. */
import type { HealthStatus } from "@pincer/sdk";
import type { GaugeMeters } from "./gauge-meters.ts";
import { ageMs, oldestAge, type Measured } from "./judge-health.ts";
import type { Figures } from "./read-figures.ts";

interface LiveReadings {
  status: HealthStatus;
  uptimeSeconds: number;
  /** Turns. */
  running: number;
  /** Open ones, by kind. */
  connections: Record<string, number>;
}

export function setGauges(
  meters: GaugeMeters,
  { figures, now, accounts, loop: delay, rssBytes }: Measured,
  live: LiveReadings,
): void {
  const { backlogs } = figures;
  const labelled = (entries: Array<[string, number | null | undefined]>) =>
    entries.flatMap(([label, value]) => (value == null ? [] : [{ value, values: [label] }]));
  meters.running.set([{ value: live.running }]);
  meters.uptime.set([{ value: live.uptimeSeconds }]);
  meters.status.set([{ value: { ok: 2, degraded: 1, failing: 0 }[live.status] }]);
  meters.memory.set(
    labelled([
      ["rss", rssBytes],
      ["heap", process.memoryUsage().heapUsed],
    ]),
  );
  meters.loop.set(
    labelled([
      ["0.5", delay.p50Ms / 1000],
      ["0.99", delay.p99Ms / 1000],
      ["1", delay.maxMs / 1000],
    ]),
  );
  meters.database.set(figures.databaseBytes === null ? [] : [{ value: figures.databaseBytes }]);
  meters.connections.set(labelled(Object.entries(live.connections)));
  meters.waiting.set(backlogs ? labelled(waitingIn(backlogs)) : []);
  meters.oldest.set(backlogs ? labelled(oldestIn(backlogs, now)) : []);
  const of = ({ channel, accountId }: { channel: string; accountId: string }) => [channel, accountId];
  meters.channelHealth.set(
    accounts.map((one) => ({
      value: { green: 2, yellow: 1, red: 0 }[one.verdict.health],
      values: of(one),
    })),
  );
  meters.channelProof.set(
    accounts.flatMap((one) =>
      one.lastProofAt === undefined
        ? []
        : [{ value: Math.max(0, now - one.lastProofAt) / 1000, values: of(one) }],
    ),
  );
  meters.channelAlarms.set(
    accounts.flatMap((one) => [
      { value: one.alarms.alarms, values: [...of(one), "all"] },
      { value: one.alarms.trueAlarms, values: [...of(one), "true"] },
      { value: one.alarms.falseAlarms, values: [...of(one), "false"] },
    ]),
  );
  meters.channelBacklog.set((backlogs?.outbox ?? []).map((one) => ({ value: one.count, values: of(one) })));
}

type Backlogs = NonNullable<Figures["backlogs"]>;

export const sumOf = (backlogs: ReadonlyArray<{ count: number }>): number =>
  backlogs.reduce((sum, { count }) => sum + count, 0);

const waitingIn = (backlogs: Backlogs): Array<[string, number]> => [
  ["inbox", backlogs.inbox.count],
  ["turns", backlogs.turns.count],
  ["outbox", sumOf(backlogs.outbox)],
  ["approvals", backlogs.approvals],
  ["notices", backlogs.notices],
  ["dead_letters", backlogs.deadLetters],
];

function oldestIn(backlogs: Backlogs, now: number): Array<[string, number | null]> {
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  return [
    ["inbox", seconds(ageMs(backlogs.inbox.oldestAt, now))],
    ["turns", seconds(ageMs(backlogs.turns.oldestAt, now))],
    ["outbox", seconds(oldestAge(backlogs.outbox, now))],
  ];
}
