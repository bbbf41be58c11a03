/**
 * The gauges of a running gateway: events are counted, the rest is read on request. They decide nothing and change
 * nothing, and nobody waits for them.
 */
import type {
  ChannelConnection,
  ChannelView,
  GaugesView,
  HealthStatus,
  HealthView,
  PincerError,
} from "@pincer/sdk";
import type { AccountState } from "../../channels/account-supervisor.ts";
import type { AccountVerdict } from "../../channels/judge-account.ts";
import { createChannelHealth, type AccountName, type ChannelHealth } from "../../channels/channel-health.ts";
import type { DeliveryProgress } from "../../channels/delivery-step.ts";
import type { Config } from "../../config/schema.ts";
import type { Doors } from "../doors/doors.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { timestamp, type Clock } from "../../infra/clock.ts";
import { createMeters, type MeterFamily } from "../../infra/meters.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { Verdict } from "../../policy/decision.ts";
import type { Door } from "../../routing/door.ts";
import type { Stores, TenantStores } from "../../storage/storage.ts";
import { healthOf } from "../methods/health-api.ts";
import { turnDeadlineMs } from "../../routing/turn-machinery.ts";
import { createEventLoopWatch } from "./event-loop.ts";
import { declareMeters, requestName, toolCallsName, turnName } from "./gauge-meters.ts";
import {
  channelReason,
  httpReason,
  judgeHealth,
  notReady,
  oldestAge,
  ageMs,
  type Measured,
  type NotReady,
  type Stage,
} from "./judge-health.ts";
import { createFigureReader } from "./read-figures.ts";
import { createRecent } from "./recent.ts";
import { workdirTrouble } from "../../sandbox/prepare-workdir.ts";
import { within } from "../../infra/within.ts";
import { createStandingNotices } from "./standing-notices.ts";
import { setGauges, sumOf } from "./set-gauges.ts";
import { createMemoryWatch } from "./watch-memory.ts";
import { createStorageWatch } from "./watch-storage.ts";
import { measureTurns, type TurnGauges } from "./watch-turns.ts";
import { measureUsage, type UsageGauges } from "./watch-usage.ts";

export interface GaugesParts {
  clock: Clock;
  stores: Pick<TenantStores, "backlogs" | "notices">;
  storage: Pick<Stores, "condition" | "tryWrite" | "lookForRoom" | "checkPages">;
  /** A loss of the database waits for the owner. */
  isRecovering?(): boolean;
  databaseFile: string;
  homeRoot: string;
  config(): Config;
  say: Say;
  redactor: Pick<Redactor, "text">;
  stage(): Stage;
  lanes(): { running: number; waiting: number };
  /** Of every account in the config. */
  accounts(): AccountState[];
  connection(channel: string, accountId: string): ChannelConnection | undefined;
  /** Why nothing is served over HTTP although the config wants it. */
  httpTrouble(): PincerError | undefined;
  /** Where agents work, whether it is there or not. */
  workdirs(): string[];
  /** Makes the connection of an account that hears nothing anew. */
  renew?(channel: string, accountId: string): void;
  /** Open ones, by kind: socket, http, websocket. */
  connections(): Record<string, number>;
  /** There may be something new to tell the owner. */
  tellOwner(): void;
  /** Called when the health changes. Must not throw. */
  onChange?(status: HealthStatus): void;
  onError(error: unknown): void;
}

export interface Gauges {
  turns: TurnGauges;
  usage: UsageGauges["wrap"];
  channelHealth: ChannelHealth;
  /** The same door; whom it turns away or offers pairing is counted. */
  countDoor(door: Door): Door;
  /** The same doors; who is refused is counted. */
  countDoors(doors: Doors): Doors;
  /** The same limits, with a counter of refusals. */
  countLimits(limits: RateLimits): RateLimits;
  decided(verdict: Verdict): void;
  delivered(progress: Pick<DeliveryProgress, "type" | "channel" | "accountId">): void;
  answered(told: { route: string; method: string; status: number; ms: number }): void;
  called(told: { method: string; outcome: string }): void;
  /** A connection was one too many of its address. */
  turnedAway(): void;
  /** Every account with how it is; with `probe` the networks are asked first. */
  channels(request?: { probe: boolean }): Promise<ChannelView[]>;
  view(): Promise<GaugesView>;
  health(say: Say): Promise<HealthView>;
  /** Why no work should be sent here now. */
  notReady(): Promise<NotReady[]>;
  metrics(): Promise<MeterFamily[]>;
  /** Watches until the signal aborts. Never throws. */
  watch(signal: AbortSignal): Promise<void>;
}

const lookEveryMs = 60_000;
/** A drive that does not answer at all counts as missing. */
const workdirPatienceMs = 2000;

export function createGauges(parts: GaugesParts): Gauges {
  const { clock, config, say } = parts;
  const startedAt = clock.monotonic();
  const registry = createMeters();
  const meters = declareMeters(registry);
  const recent = createRecent(
    [requestName, "pincer_http_requests_total", turnName, toolCallsName, "pincer_rate_limited_total"],
    startedAt,
  );
  const turns = measureTurns(meters, clock);
  const usage = measureUsage(meters);
  const loop = createEventLoopWatch({ clock });
  const memory = createMemoryWatch({ notices: parts.stores.notices, told: parts.tellOwner });
  const standing = createStandingNotices({ notices: parts.stores.notices, told: parts.tellOwner });
  const storage = createStorageWatch({
    ...parts,
    notices: parts.stores.notices,
    told: parts.tellOwner,
  });
  const readFigures = createFigureReader({ ...parts, condition: storage.condition });
  const channelHealth = createChannelHealth({
    clock,
    deafMs: () => config().gateway.deafSeconds * 1000,
    connection: parts.connection,
    onDeaf: ({ channel, accountId }) => parts.renew?.(channel, accountId),
    isStoring: () => storage.condition().refusing === undefined,
    onChange: tellOfDeafness,
  });
  let status: HealthStatus | undefined;

  /** A broken account is told when it breaks. */
  function tellOfDeafness({ channel, accountId }: AccountName, verdict: AccountVerdict): void {
    const isDeaf = verdict.health === "red" && verdict.because !== "broken";
    if (!isDeaf && verdict.health !== "green") return;
    const text = { key: "notice.channel-deaf", parameters: { channel, accountId } };
    standing.look(`deaf:${channel}:${accountId}`, isDeaf ? text : undefined).catch(parts.onError);
  }

  const accountsNow = () =>
    channelHealth.read(parts.accounts()).map((account) => ({
      ...account,
      probeDetail: account.probeDetail === undefined ? undefined : parts.redactor.text(account.probeDetail),
    }));

  async function measure(): Promise<Measured> {
    const [figures, workdir] = await Promise.all([readFigures(), findWorkdirTrouble(parts)]);
    return {
      figures,
      workdirTrouble: workdir,
      httpTrouble: parts.httpTrouble(),
      now: clock.now(),
      stage: parts.stage(),
      loop: loop.read(),
      isStuck: loop.isStuck(),
      rssBytes: process.memoryUsage.rss(),
      accounts: accountsNow(),
      isModelConfigured: config().agents.defaults.model.primary !== undefined,
      modelTrouble: usage.trouble(),
      turnDeadlineMs: turnDeadlineMs(config()),
    };
  }

  async function health(words: Say): Promise<HealthView> {
    const found = healthOf(judgeHealth(await measure(), words), timestamp(clock));
    if (status !== found.status) {
      status = found.status;
      parts.onChange?.(status);
    }
    return found;
  }

  async function lookAtTroubles(): Promise<void> {
    const workdir = await findWorkdirTrouble(parts);
    await standing.look("gateway:workdir", workdir && { key: "notice.workdir", parameters: workdir });
    const http = parts.httpTrouble();
    const parameters = http && { reason: httpReason(http, say) };
    await standing.look("gateway:http", parameters && { key: "notice.http", parameters });
  }

  async function channels({ probe } = { probe: false }): Promise<ChannelView[]> {
    const states = parts.accounts();
    if (probe) await channelHealth.ask(states.filter(({ state }) => state === "connected"));
    const { backlogs } = await readFigures();
    const known = accountsNow();
    return states.map((state): ChannelView => {
      const isIt = (other: { channel: string; accountId: string }) =>
        other.channel === state.channel && other.accountId === state.accountId;
      const account = known.find(isIt);
      const reason = state.reason ?? (account && channelReason(account, say));
      return {
        channel: state.channel,
        accountId: state.accountId,
        state: state.state,
        since: state.since,
        ...(reason === undefined ? {} : { reason }),
        ...(account && {
          health: account.verdict.health,
          lastInboundAt: moment(account.lastInboundAt),
          lastProofAt: moment(account.lastProofAt),
          lastDeliveryAt: moment(account.lastDeliveryAt),
        }),
        ...(backlogs && { backlog: backlogs.outbox.find(isIt)?.count ?? 0 }),
      };
    });
  }

  async function view(): Promise<GaugesView> {
    const families = registry.read();
    const { backlogs, databaseBytes } = await readFigures();
    const now = clock.now();
    const { rss, heapUsed } = process.memoryUsage();
    const requests = recent.histogram(families, requestName);
    const ended = recent.histogram(families, turnName);
    const calls = recent.histogram(families, toolCallsName);
    const waiting = (count: number, oldest: number | null) => ({
      waiting: count,
      oldestSeconds: oldest === null ? null : Math.round(oldest / 1000),
    });
    const latency = (histogram: typeof requests) => ({
      p95Ms: milliseconds(histogram.quantile(0.95)),
      p99Ms: milliseconds(histogram.quantile(0.99)),
    });
    return {
      uptimeSeconds: Math.round((clock.monotonic() - startedAt) / 1000),
      memory: { rssBytes: rss, heapBytes: heapUsed },
      eventLoop: loop.read(),
      queue: {
        running: parts.lanes().running,
        ...waiting(backlogs?.turns.count ?? 0, ageMs(backlogs?.turns.oldestAt, now)),
      },
      inbox: waiting(backlogs?.inbox.count ?? 0, ageMs(backlogs?.inbox.oldestAt, now)),
      outbox: waiting(sumOf(backlogs?.outbox ?? []), oldestAge(backlogs?.outbox ?? [], now)),
      deadLetters: backlogs?.deadLetters ?? 0,
      databaseBytes,
      connections: Object.values(parts.connections()).reduce((sum, count) => sum + count, 0),
      requests: {
        ...latency(requests),
        perSecond: requests.count / recent.seconds(clock.monotonic()),
        failed: recent.counted(
          families,
          "pincer_http_requests_total",
          ([, , code]) => code?.startsWith("5") ?? false,
        ),
        limited: recent.counted(families, "pincer_rate_limited_total"),
      },
      turns: {
        ...latency(ended),
        ended: ended.count,
        meanToolCalls: calls.count === 0 ? null : calls.sum / calls.count,
      },
    };
  }

  return {
    turns,
    usage: usage.wrap,
    channelHealth,
    channels,
    view,
    health,
    countDoor: (door) => ({
      ...door,
      async admit(message) {
        const admission = await door.admit(message);
        if (admission.type === "pairing" && admission.isNew) meters.pairings.add(1, message.channel);
        if (admission.type === "refused") meters.refusals.add(1, admission.reason);
        return admission;
      },
    }),
    countDoors: (doors) => ({
      ...doors,
      async admit(shown, from) {
        const admission = await doors.admit(shown, from);
        meters.signIns.add(1, admission.type);
        return admission;
      },
    }),
    countLimits: (limits) => ({
      take(kind, key) {
        const taken = limits.take(kind, key);
        if (!taken.ok) meters.limited.add(1, kind);
        return taken;
      },
    }),
    decided(verdict) {
      if (verdict === "deny") meters.denials.add(1);
    },
    delivered({ type, channel, accountId }) {
      meters.deliveries.add(1, channel, type);
      channelHealth.onDelivery(
        { channel, accountId },
        type === "sent" || type === "edited" ? "sent" : "failed",
      );
    },
    answered({ route, method, status: code, ms }) {
      meters.requests.add(1, route, method, String(code));
      meters.requestSeconds.observe(ms / 1000, route);
    },
    called({ method, outcome }) {
      meters.calls.add(1, method, outcome);
    },
    turnedAway() {
      meters.limited.add(1, "connection");
    },
    notReady: async () => notReady(await measure()),
    async metrics() {
      const measured = await measure();
      setGauges(meters, measured, {
        status: healthOf(judgeHealth(measured, say), timestamp(clock)).status,
        uptimeSeconds: (clock.monotonic() - startedAt) / 1000,
        running: parts.lanes().running,
        connections: parts.connections(),
      });
      return registry.read();
    },
    async watch(signal) {
      const watching = [channelHealth.watch(signal), loop.watch(signal), storage.watch(signal)];
      try {
        for (;;) {
          await clock.sleep(lookEveryMs, signal);
          recent.keep(registry.read(), clock.monotonic());
          await memory.look(process.memoryUsage.rss()).catch(parts.onError);
          await health(say).catch(parts.onError);
          await lookAtTroubles().catch(parts.onError);
        }
      } catch {
        // Stopped.
      }
      await Promise.all(watching);
    },
  };
}

async function findWorkdirTrouble({
  workdirs,
  clock,
}: Pick<GaugesParts, "workdirs" | "clock">): Promise<Measured["workdirTrouble"]> {
  const found = workdirs().map(async (workdir) => {
    const late = () => `no answer within ${workdirPatienceMs / 1000} s`;
    const reason = await within(clock, workdirPatienceMs, workdirTrouble(workdir), late);
    return reason === undefined ? [] : [{ workdir, reason }];
  });
  return (await Promise.all(found)).flat()[0];
}

const moment = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();

const milliseconds = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds * 10_000) / 10;
