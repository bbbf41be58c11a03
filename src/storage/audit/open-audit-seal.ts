import type { Secrets } from "../../config/secrets.ts";
import { createAuditSeal, type AuditSeal } from "./audit-seal.ts";

/**
 * What the audit log of the home is sealed with. Undefined where the key cannot be had: the work goes on, and `pincer audit verify` tells of
 * what was written without it.
 */
export async function openAuditSeal(
  secrets: Pick<Secrets, "derive">,
  whenMissing: "make" | "refuse",
): Promise<AuditSeal | undefined> {
  try {
    return createAuditSeal(await secrets.derive("audit log", whenMissing));
  } catch {
    // Whoever needs a secret is told why it cannot be opened; here it must not keep a home from being used.
    return undefined;
  }
}
