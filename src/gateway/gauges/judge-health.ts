/** The health of the gateway, from its figures. Pure. */
import type { HealthCheckView, HealthStatus, PincerError } from "@pincer/sdk";
import type { AccountHealth } from "../../channels/channel-health.ts";
import { asSentence, sayError } from "../../infra/failure.ts";
import { formatBytes } from "../../infra/format-bytes.ts";
import type { Say } from "../../infra/texts.ts";
import type { LoopDelay } from "./event-loop.ts";
import type { Figures } from "./read-figures.ts";
import { softBoundBytes } from "./watch-memory.ts";
import type { UsageGauges } from "./watch-usage.ts";

export type Stage = "starting" | "running" | "stopping";

export interface Measured {
  now: number;
  stage: Stage;
  figures: Figures;
  loop: LoopDelay;
  isStuck: boolean;
  rssBytes: number;
  accounts: readonly AccountHealth[];
  /** Why a workdir cannot be used, as its name and the reason; undefined where all can. */
  workdirTrouble: { workdir: string; reason: string } | undefined;
  /** Why nothing is served over HTTP although the config wants it. */
  httpTrouble: PincerError | undefined;
  isModelConfigured: boolean;
  modelTrouble: ReturnType<UsageGauges["trouble"]>;
  /** How long a turn may take: one that has waited longer is overdue. */
  turnDeadlineMs: number;
}

export type NotReady = "starting" | "stopping" | "database" | "event-loop" | "queue";

/** Why no work should be sent here now; empty where it may. */
export function notReady({ stage, figures, isStuck, now, turnDeadlineMs }: Measured): NotReady[] {
  const waited = ageMs(figures.backlogs?.turns.oldestAt, now) ?? 0;
  return [
    ...(stage === "running" ? [] : [stage]),
    ...(figures.databaseTrouble || figures.damage.length > 0 ? (["database"] as const) : []),
    ...(isStuck ? (["event-loop"] as const) : []),
    ...(waited > turnDeadlineMs ? (["queue"] as const) : []),
  ];
}

export function judgeHealth(measured: Measured, say: Say): HealthCheckView[] {
  return [
    judgeGateway(measured, say),
    judgeDatabase(measured, say),
    judgeDisk(measured, say),
    judgeWorkdirs(measured, say),
    judgeHttp(measured, say),
    judgeChannels(measured, say),
    judgeModels(measured, say),
    judgeQueue(measured, say),
    judgeLoop(measured, say),
    judgeMemory(measured, say),
    judgeOutbox(measured, say),
    judgeDeadLetters(measured, say),
  ];
}

type Found = Pick<HealthCheckView, "figures"> & { status?: HealthStatus; reason?: string };

const check = (name: string, { status = "ok", reason, figures }: Found): HealthCheckView => ({
  name,
  status,
  ...(status === "ok" || reason === undefined ? {} : { reason }),
  ...(figures && { figures }),
});

function judgeGateway({ stage }: Measured, say: Say): HealthCheckView {
  return check("gateway", stage === "running" ? {} : { status: "failing", reason: say(`gauges.${stage}`) });
}

function judgeDatabase(
  { figures: { databaseTrouble, damage, logTrouble, databaseBytes, isRecovering } }: Measured,
  say: Say,
): HealthCheckView {
  const figures = { bytes: databaseBytes };
  const found = (status: HealthStatus, key: DatabaseTrouble, error: PincerError) =>
    check("database", { status, reason: say(key, { reason: sayError(error, say).message }), figures });
  const [damaged] = damage;
  if (damaged) return found("failing", "gauges.database.damaged", damaged);
  if (databaseTrouble) return found("failing", "gauges.database", databaseTrouble);
  if (isRecovering)
    return check("database", { status: "failing", reason: say("gauges.database.lost"), figures });
  if (logTrouble) return found("degraded", "gauges.database.log", logTrouble);
  return check("database", { figures });
}

type DatabaseTrouble = "gauges.database" | "gauges.database.damaged" | "gauges.database.log";

const littleBytes = 1024 ** 3;
const tooLittleBytes = 100 * 1024 ** 2;

function judgeDisk({ figures: { freeBytes } }: Measured, say: Say): HealthCheckView {
  const figures = { freeBytes };
  if (freeBytes === null || freeBytes >= littleBytes) return check("disk", { figures });
  const reason = say("health.disk", { free: formatBytes(freeBytes) });
  return check("disk", { status: freeBytes < tooLittleBytes ? "failing" : "degraded", reason, figures });
}

function judgeWorkdirs({ workdirTrouble }: Measured, say: Say): HealthCheckView {
  if (!workdirTrouble) return check("workdirs", {});
  return check("workdirs", { status: "failing", reason: say("gauges.workdir", workdirTrouble) });
}

function judgeHttp({ httpTrouble }: Measured, say: Say): HealthCheckView {
  if (!httpTrouble) return check("http", {});
  return check("http", { status: "failing", reason: httpReason(httpTrouble, say) });
}

/** With what to do next. */
export function httpReason(error: PincerError, say: Say): string {
  const { message, hint } = sayError(error, say);
  return hint ? `${asSentence(message)} ${hint}` : message;
}

/** What nobody can tell is no trouble: a connector that says nothing about itself would be one for ever. */
const harmless: ReadonlySet<string> = new Set(["unproven", "unprovable"]);

function judgeChannels({ accounts }: Measured, say: Say): HealthCheckView {
  const ofHealth = (health: string) => accounts.filter(({ verdict }) => verdict.health === health);
  const red = ofHealth("red");
  const yellow = ofHealth("yellow").filter(
    ({ verdict }) => verdict.health !== "green" && !harmless.has(verdict.because),
  );
  const figures = {
    green: ofHealth("green").length,
    yellow: ofHealth("yellow").length,
    red: red.length,
    falseAlarms: accounts.reduce((sum, { alarms }) => sum + alarms.falseAlarms, 0),
  };
  const named = red.length > 0 ? red : yellow;
  if (named.length === 0) return check("channels", { figures });
  const names = named.map((account) => channelReason(account, say)).join("; ");
  return check("channels", { status: red.length > 0 ? "failing" : "degraded", reason: names, figures });
}

/** In words; undefined where it is well. */
export function channelReason(
  { channel, accountId, verdict, probeDetail }: AccountHealth,
  say: Say,
): string | undefined {
  if (verdict.health === "green") return undefined;
  const words = say(`gauges.channel.${verdict.because}`, { channel, accountId });
  const isAsked = ["deaf", "quiet", "failing"].includes(verdict.because);
  return isAsked && probeDetail ? `${words} (${probeDetail})` : words;
}

function judgeModels({ isModelConfigured, modelTrouble }: Measured, say: Say): HealthCheckView {
  if (!isModelConfigured) return check("models", { status: "degraded", reason: say("gauges.model.none") });
  if (!modelTrouble) return check("models", {});
  const { model, times, code } = modelTrouble;
  const reason = say("gauges.model.failing", { model, times, code });
  return check("models", { status: "degraded", reason, figures: { model, failuresInARow: times } });
}

function judgeQueue({ figures, now, turnDeadlineMs }: Measured, say: Say): HealthCheckView {
  const { count = 0, oldestAt } = figures.backlogs?.turns ?? {};
  const waited = ageMs(oldestAt, now);
  const seen = { waiting: count, oldestSeconds: waited === null ? null : Math.round(waited / 1000) };
  if (waited === null || waited <= turnDeadlineMs / 4) return check("queue", { figures: seen });
  const reason = say("gauges.queue", { count, minutes: minutes(waited) });
  return check("queue", { status: waited > turnDeadlineMs ? "failing" : "degraded", reason, figures: seen });
}

const lateMs = 500;

function judgeLoop({ loop, isStuck }: Measured, say: Say): HealthCheckView {
  const figures = { p50Ms: round(loop.p50Ms), p99Ms: round(loop.p99Ms), maxMs: round(loop.maxMs) };
  if (isStuck) return check("event-loop", { status: "failing", reason: say("gauges.loop.stuck"), figures });
  if (loop.p99Ms < lateMs) return check("event-loop", { figures });
  const reason = say("gauges.loop.late", { ms: round(loop.p99Ms) });
  return check("event-loop", { status: "degraded", reason, figures });
}

function judgeMemory({ rssBytes }: Measured, say: Say): HealthCheckView {
  const figures = { rssBytes };
  if (rssBytes <= softBoundBytes) return check("memory", { figures });
  const reason = say("gauges.memory", { used: megabytes(rssBytes), bound: megabytes(softBoundBytes) });
  return check("memory", { status: "degraded", reason, figures });
}

const longOutMs = 5 * 60_000;

function judgeOutbox({ figures: { backlogs }, now }: Measured, say: Say): HealthCheckView {
  const outbox = backlogs?.outbox ?? [];
  const count = outbox.reduce((sum, each) => sum + each.count, 0);
  const waited = oldestAge(outbox, now);
  const figures = { waiting: count, oldestSeconds: waited === null ? null : Math.round(waited / 1000) };
  if (waited === null || waited < longOutMs) return check("outbox", { figures });
  const reason = say("gauges.outbox", { count, minutes: minutes(waited) });
  return check("outbox", { status: "degraded", reason, figures });
}

function judgeDeadLetters({ figures: { backlogs } }: Measured, say: Say): HealthCheckView {
  const count = backlogs?.deadLetters ?? 0;
  const figures = { count };
  if (count === 0) return check("deadletters", { figures });
  return check("deadletters", { status: "degraded", reason: say("health.deadletters", { count }), figures });
}

/** Since then, in milliseconds; null where there is nothing. Never negative: a clock may have been set. */
export const ageMs = (since: string | null | undefined, now: number): number | null =>
  since == null ? null : Math.max(0, now - Date.parse(since));

export function oldestAge(backlogs: ReadonlyArray<{ oldestAt: string | null }>, now: number): number | null {
  const ages = backlogs.flatMap(({ oldestAt }) => ageMs(oldestAt, now) ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}

const minutes = (ms: number): number => Math.round(ms / 60_000);
const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);
const round = (ms: number): number => Math.round(ms * 10) / 10;
