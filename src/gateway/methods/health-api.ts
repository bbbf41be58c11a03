/** The health as one document: measured by a running gateway, or derived from the home. */
import type { HealthCheckView, HealthStatus, HealthView } from "@pincer/sdk";
import { loadConfig } from "../../config/load-config.ts";
import { sayProblem } from "../../config/loaded-config.ts";
import { timestamp } from "../../infra/clock.ts";
import { formatBytes } from "../../infra/format-bytes.ts";
import type { Say } from "../../infra/texts.ts";
import type { Language } from "../../infra/texts/table.ts";
import { freeBytes } from "../../storage/home/free-bytes.ts";
import { openRecovery } from "../../storage/home/recovery.ts";
import type { ControlApiParts } from "./control-parts.ts";
import type { Api } from "./api.ts";

type HealthApiParts = Pick<ControlApiParts, "openedHome" | "running" | "environment"> & {
  inLanguage(language: Language | undefined): Say;
};

export function createHealthApi(parts: HealthApiParts): Api<"health"> {
  const { openedHome, running, inLanguage } = parts;
  return {
    async get({ language }) {
      const say = inLanguage(language);
      const config = await lookAtConfig(parts, say);
      if (running?.health) {
        const { checks, checkedAt } = await running.health(say);
        return healthOf([...checks, config], checkedAt);
      }
      const checks = await Promise.all([
        running ? { name: "gateway", status: "ok" as const } : withoutGateway(say),
        lookAtDisk(openedHome, say),
        lookAtOutbox(openedHome, say),
        lookAtDeadLetters(openedHome, say),
      ]);
      return healthOf([lookAtDatabase(openedHome, say), ...checks, config], timestamp(openedHome.clock));
    },
  };
}

/** As bad as the worst of the checks. Pure. */
export const healthOf = (checks: HealthCheckView[], checkedAt: string): HealthView => ({
  status: order.findLast((status) => checks.some((check) => check.status === status)) ?? "ok",
  checkedAt,
  checks,
});

const order: readonly HealthStatus[] = ["ok", "degraded", "failing"];

type Looked = HealthApiParts["openedHome"];

const withoutGateway = (say: Say): HealthCheckView => ({
  name: "gateway",
  status: "failing",
  reason: say("health.no-gateway"),
});

/** What is in force is not what its owner wrote: nobody may take that for well. */
async function lookAtConfig({ openedHome, environment }: HealthApiParts, say: Say): Promise<HealthCheckView> {
  const { fallback, problems } = await loadConfig({ home: openedHome.home, environment });
  const fault = problems.find(({ severity }) => severity === "error");
  if (!fallback && !fault) return { name: "config", status: "ok" };
  const reason =
    fault && !fallback
      ? say("config.problem.part-left-out", { problem: sayProblem(fault, say) })
      : say("safe-mode.next", { fallback: say(`safe-mode.${fallback ?? "defaults"}`) });
  return { name: "config", status: "failing", reason };
}

/** A caller that came so far has read it; it may still be one that lost something. */
const lookAtDatabase = ({ home }: Looked, say: Say): HealthCheckView =>
  openRecovery(home.recoveryFile).isOpen()
    ? { name: "database", status: "failing", reason: say("gauges.database.lost") }
    : { name: "database", status: "ok" };

const littleBytes = 1024 ** 3;
const tooLittleBytes = 100 * 1024 ** 2;

async function lookAtDisk({ home }: Looked, say: Say): Promise<HealthCheckView> {
  const free = await freeBytes(home.root).catch(() => null);
  const figures = { freeBytes: free };
  if (free === null || free >= littleBytes) return { name: "disk", status: "ok", figures };
  const status = free < tooLittleBytes ? "failing" : "degraded";
  return { name: "disk", status, reason: say("health.disk", { free: formatBytes(free) }), figures };
}

const mostCounted = 1000;

async function lookAtOutbox({ stores }: Looked, say: Say): Promise<HealthCheckView> {
  const waiting = await stores.outbox.list({
    limit: mostCounted,
    states: ["queued", "sending", "uncertain"],
  });
  const failed = await stores.outbox.list({ limit: mostCounted, states: ["failed"] });
  const figures = {
    waiting: waiting.length,
    failed: failed.length,
    oldestAt: waiting.at(-1)?.createdAt ?? null,
  };
  if (failed.length === 0) return { name: "outbox", status: "ok", figures };
  const reason = say("health.outbox", { count: failed.length });
  return { name: "outbox", status: "degraded", reason, figures };
}

async function lookAtDeadLetters({ stores }: Looked, say: Say): Promise<HealthCheckView> {
  const dead = await stores.turns.list({ limit: mostCounted, states: ["dead"] });
  const figures = { count: dead.length };
  if (dead.length === 0) return { name: "deadletters", status: "ok", figures };
  const reason = say("health.deadletters", { count: dead.length });
  return { name: "deadletters", status: "degraded", reason, figures };
}
