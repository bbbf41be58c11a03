import { createProcessLiveness, type ProcessLiveness } from "../../../storage/sessions/process-liveness.ts";
import { sessionLeaseName } from "../../../storage/sessions/session-lease.ts";
import type { Fence } from "../../../storage/stores.ts";
import { byRepair, type Check } from "../check.ts";
import type { ExaminedHome, OpenDatabase } from "../../../storage/home/examine-home.ts";
import { eachSession } from "../../../storage/sessions/each-session.ts";

/** Whether sessions are still held by dead processes. Harmless: the next process takes over. */
export function checkLeases(
  examined: ExaminedHome,
  liveness: Pick<ProcessLiveness, "isAlive"> = createProcessLiveness(),
): Check {
  const { say, clock } = examined;

  async function findDangling({ tenant }: OpenDatabase): Promise<Array<Fence & { pid: number }>> {
    const dangling = new Map<string, Fence & { pid: number }>();
    for await (const session of eachSession(tenant.sessions)) {
      const name = sessionLeaseName(session);
      const lease = await tenant.leases.find(name);
      if (!lease) continue;
      const isOver = Date.parse(lease.expiresAt) <= clock.now() || !liveness.isAlive(lease.holder);
      if (isOver) dangling.set(name, { name, fencing: lease.fencing, pid: lease.holder.pid });
    }
    return [...dangling.values()];
  }

  return {
    id: "leases",
    title: say("doctor.leases"),
    async check() {
      const state = await examined.database();
      const dangling = state.type === "open" ? await findDangling(state) : [];
      if (dangling.length === 0) return [{ level: "ok", message: say("doctor.leases.ok") }];
      const pids = [...new Set(dangling.map(({ pid }) => pid))].join(", ");
      const message = say("doctor.leases.dangling", { count: dangling.length, pids });
      return [{ level: "warning", message, ...byRepair(say) }];
    },
    async fix() {
      const state = await examined.database();
      if (state.type !== "open") return [];
      const dangling = await findDangling(state);
      // The fencing number is part of the release: a lease that was taken over meanwhile stays taken.
      for (const { name, fencing } of dangling) await state.tenant.leases.release({ name, fencing });
      return dangling.length > 0 ? [say("doctor.leases.released", { count: dangling.length })] : [];
    },
  };
}
