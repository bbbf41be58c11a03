/** What a finding means, and which guide says more about it: the same for everything that one check finds. */
import type { Say, TextKey } from "../../infra/texts.ts";
import type { Finding } from "./check.ts";

/** What is well needs no explanation. Pure. */
export function explainFinding(id: string, finding: Finding, say: Say): Finding {
  const known = Object.hasOwn(explanations, id) ? explanations[id] : undefined;
  if (finding.level === "ok" || !known) return finding;
  return { ...finding, why: say(known.why), guide: known.guide };
}

/** By the id of the check. A guide is a file in `docs/guides`. */
export const explanations: Readonly<Record<string, { why: TextKey; guide: string }>> = {
  node: { why: "doctor.why.node", guide: "first-run" },
  home: { why: "doctor.why.home", guide: "when-something-fails" },
  disk: { why: "doctor.why.disk", guide: "when-something-fails" },
  permissions: { why: "doctor.why.permissions", guide: "when-something-fails" },
  config: { why: "doctor.why.config", guide: "when-something-fails" },
  secrets: { why: "doctor.why.secrets", guide: "credentials" },
  credentials: { why: "doctor.why.credentials", guide: "credentials" },
  "direct-messages": { why: "doctor.why.direct-messages", guide: "people" },
  model: { why: "doctor.why.model", guide: "models" },
  reach: { why: "doctor.why.reach", guide: "models" },
  clock: { why: "doctor.why.clock", guide: "when-something-fails" },
  workdir: { why: "doctor.why.workdir", guide: "when-something-fails" },
  sandbox: { why: "doctor.why.sandbox", guide: "sandbox" },
  "prompt-files": { why: "doctor.why.prompt-files", guide: "context" },
  database: { why: "doctor.why.database", guide: "when-something-fails" },
  recovery: { why: "doctor.why.recovery", guide: "when-something-fails" },
  sessions: { why: "doctor.why.sessions", guide: "when-something-fails" },
  transcripts: { why: "doctor.why.transcripts", guide: "when-something-fails" },
  leases: { why: "doctor.why.leases", guide: "when-something-fails" },
  audit: { why: "doctor.why.audit", guide: "audit" },
  port: { why: "doctor.why.port", guide: "service" },
  service: { why: "doctor.why.service", guide: "service" },
  channels: { why: "doctor.why.channels", guide: "channels" },
  leftovers: { why: "doctor.why.leftovers", guide: "when-something-fails" },
  update: { why: "doctor.why.update", guide: "service" },
};
