import { setAsideUntil } from "../../../models/credentials/credential-state.ts";
import { formatCredentialKey } from "../../../storage/credentials/credential-key.ts";
import { unused, type CredentialRecord } from "../../../storage/credentials/credentials.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check, Finding } from "../check.ts";

const soonMs = 3 * 24 * 60 * 60 * 1000;

/** Whether what proves to providers who asks is still good: what has run out for good, soon will, or was turned down. Nobody is asked. */
export function checkCredentials({ say, clock, config, database }: ExaminedHome): Check {
  /** A login is renewed when it is used; a token of its own is not. */
  const isOver = ({ type, expiresAt }: CredentialRecord, now: number) =>
    type === "token" && expiresAt !== null && Date.parse(expiresAt) <= now;

  return {
    id: "credentials",
    title: say("doctor.credentials"),
    async check() {
      const state = await database();
      const store = state.type === "open" ? state.tenant.credentials : undefined;
      const records = (await store?.list()) ?? [];
      const uses = await store?.uses();
      const now = clock.now();
      const findings = records.flatMap((record): Finding[] => {
        const { id, provider, expiresAt } = record;
        const facts = { id, provider, until: expiresAt ?? "" };
        const next = say("doctor.credentials.next", facts);
        if (isOver(record, now))
          return [{ level: "warning", message: say("doctor.credentials.expired", facts), next }];
        if (isOver(record, now + soonMs))
          return [{ level: "warning", message: say("doctor.credentials.soon", facts), next }];
        const use = uses?.get(formatCredentialKey(record)) ?? unused();
        const aside = setAsideUntil(use, now);
        if (aside === undefined) return [];
        const until = new Date(aside).toISOString();
        const message = say("doctor.credentials.set-aside", { id, until, reason: use.lastError ?? "" });
        return [{ level: "warning", message, next }];
      });
      if (findings.length > 0) return findings;
      const { primary } = (await config()).config.agents.defaults.model;
      const isNew = records.length === 0 && primary === undefined;
      const message = isNew
        ? say("doctor.credentials.none")
        : say("doctor.credentials.ok", { count: records.length });
      return [{ level: "ok", message }];
    },
  };
}
