import { PincerError } from "@pincer/sdk";
import { chmod, lstat } from "node:fs/promises";
import { sayError } from "../../../infra/failure.ts";
import { byRepair, type Check, type Finding } from "../check.ts";
import { whyLocked } from "../../../agent/models/model-readiness.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";

/** Whether the stored secrets and credentials can be opened, and whether their key is for the owner alone. Says how many, never which. */
export function checkSecrets({ home, say, secrets, database }: ExaminedHome): Check {
  /** `reason`: why the first of those that cannot be opened cannot. What is wrong with the database is for others to say. */
  const openCredentials = async () => {
    const state = await database();
    const records = state.type === "open" ? await state.tenant.credentials.list().catch(() => []) : [];
    const reasons = await Promise.all(records.map((record) => whyLocked(record, secrets.box)));
    const locked = reasons.filter((reason) => reason !== undefined);
    return { total: records.length, locked: locked.length, reason: locked[0] };
  };
  const keyMode = async () => {
    if (process.platform === "win32") return undefined;
    const status = await lstat(home.secretKeyFile).catch(() => undefined);
    return status?.isFile() ? status.mode & 0o777 : undefined;
  };
  const isOpen = (mode: number | undefined) => mode !== undefined && (mode & 0o077) !== 0;
  return {
    id: "secrets",
    title: say("doctor.secrets"),
    async check() {
      const findings: Finding[] = [];
      const mode = await keyMode();
      if (isOpen(mode)) {
        const modes = { path: home.secretKeyFile, mode: `0${mode?.toString(8)}`, wanted: "0600" };
        const message = say("doctor.permissions.open", modes);
        findings.push({ level: "problem", message, ...byRepair(say) });
      }
      const { total, locked, reason } = await openCredentials();
      if (reason) {
        const { message, hint } = sayError(reason, say);
        findings.push({
          level: "problem",
          message: say("doctor.secrets.credentials", { count: locked, total, reason: message }),
          ...(hint ? { next: hint } : {}),
        });
      }
      try {
        const stored = await secrets.list();
        // Every one: each is sealed by itself, and may have been changed by itself.
        for (const { name } of stored) await secrets.resolve(`secret:${name}`);
        if (findings.length === 0) {
          const count = stored.length + total;
          findings.push({ level: "ok", message: say("doctor.secrets.ok", { count }) });
        }
      } catch (error) {
        if (!(error instanceof PincerError)) throw error;
        const { message, hint } = sayError(error, say);
        findings.push({ level: "problem", message, ...(hint ? { next: hint } : {}) });
      }
      return findings;
    },
    async fix() {
      if (!isOpen(await keyMode())) return [];
      await chmod(home.secretKeyFile, 0o600);
      return [say("doctor.permissions.closed", { count: 1 })];
    },
  };
}
