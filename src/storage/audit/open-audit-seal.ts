import type { Secrets } from "../../config/secrets.ts";
import { createAuditSeal, type AuditSeal } from "./audit-seal.ts";

/**
 * The seal of the home's audit log. Undefined if the key is unavailable: work goes on, and `pincer audit verify`
 * reports what was written without it.
 */
export async function openAuditSeal(
  secrets: Pick<Secrets, "derive">,
  whenMissing: "make" | "refuse",
): Promise<AuditSeal | undefined> {
  try {
    return createAuditSeal(await secrets.derive("audit log", whenMissing));
  } catch {
    // Users of secrets get the error; here it must not make the home unusable.
    return undefined;
  }
}
