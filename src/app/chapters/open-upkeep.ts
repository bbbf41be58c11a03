/** Background work of a running gateway: transcripts, cleanup, the audit log, gauges, the memory index. */
import { keepAudit, type AuditKeeping } from "../../gateway/audit/keep-audit.ts";
import { runUpkeep } from "../../gateway/run-upkeep.ts";
import { noticeUnlabelled } from "../../gate/labels/notice-unlabelled.ts";
import { systemClock } from "../../infra/clock.ts";
import { sessionLeaseName } from "../../storage/sessions/session-lease.ts";
import type { ObservedBase } from "./open-observers.ts";
import type { Turns } from "./open-turns.ts";
import { within } from "../../infra/within.ts";

export interface Upkeep {
  start(): void;
  /** What can wait until the gateway is ready. */
  startRest(): void;
  /** The readable copies are brought up to date, if that does not take long; what is left the next start does. */
  finishCopies(withinMs: number): Promise<void>;
}

/** Callers that wait for the gateway hear that it is ready before anything is loaded that is needed only later. */
const settlingMs = 50;

export function openUpkeep(
  base: ObservedBase,
  { connected, engine, effects, labels, media, memory }: Turns,
): Upkeep {
  const { gatewayContext, lifetime, observers, trail } = base;
  const { openedHome, config, trouble } = gatewayContext;
  const { stores, clock } = openedHome;
  const { signal } = base.stopping;
  let copying: Promise<unknown> = Promise.resolve();
  let auditing: AuditKeeping | undefined;
  const rest: Array<Promise<unknown>> = [];

  lifetime.onEnd("audit", () => auditing?.stop());
  lifetime.onEnd("telemetry", observers.telemetry.close, 1 / 8);
  lifetime.onEnd("upkeep", () => Promise.all([copying, ...rest, connected.settled()]));

  const copyTranscripts = () =>
    openedHome.transcripts
      .completeAll({
        sessions: stores.sessions,
        signal,
        exclusively: (session, work) => openedHome.leases.hold(sessionLeaseName(session), work),
      })
      .catch(() => undefined); // stopped: the next start completes them

  const clearAway = () =>
    runUpkeep({
      stores,
      clock,
      signal,
      onError: (error) => trouble("clearing away", error),
      media,
      effects,
      approvals: engine.approvals,
      single: {
        async clear(before, stopped) {
          const { clearOnceSessions, onceSessionsOf } =
            await import("../../gateway/openai/clear-once-sessions.ts");
          await clearOnceSessions(onceSessionsOf(openedHome, memory), before, stopped);
        },
      },
    });

  async function followMemory(): Promise<void> {
    await systemClock.sleep(settlingMs, signal).catch(() => undefined);
    if (!signal.aborted) await memory.follow();
  }

  return {
    start() {
      copying = copyTranscripts();
      rest.push(clearAway());
      auditing = keepAudit({
        audit: stores.audit,
        anchors: openedHome.auditAnchors,
        trail,
        keepDays: () => config().audit.keepDays,
        clock,
        onError: (error) => trouble("audit", error),
      });
    },
    startRest() {
      rest.push(observers.gauges.watch(signal));
      followMemory().catch((error: unknown) => trouble("memory", error));
      const workdirs = engine.setups.workdirPaths();
      rest.push(
        noticeUnlabelled({ stores, places: labels.places, workdirs }).catch((error: unknown) =>
          trouble("labels", error),
        ),
      );
    },
    finishCopies: async (withinMs) => void (await within(clock, withinMs, copying)),
  };
}
