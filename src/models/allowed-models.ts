/** Which models may be used, as the config says. */
import type { ModelRecord } from "./model-record.ts";

export interface ModelLimits {
  /** Empty: all. */
  allowedProviders: readonly string[];
  /** `provider/model`; `*` stands for anything. Empty: all. */
  allowedModels: readonly string[];
}

export type Allowance = { allowed: true } | { allowed: false; by: keyof ModelLimits };

/** Both lists must let it through. The stub asks nobody, so there is nothing to allow. */
export function allowanceOf(
  { provider, id }: Pick<ModelRecord, "provider" | "id">,
  limits: ModelLimits,
): Allowance {
  if (provider === "stub") return { allowed: true };
  const { allowedProviders, allowedModels } = limits;
  if (allowedProviders.length > 0 && !allowedProviders.includes(provider)) {
    return { allowed: false, by: "allowedProviders" };
  }
  const reference = `${provider}/${id}`;
  if (allowedModels.length > 0 && !allowedModels.some((pattern) => matches(pattern, reference))) {
    return { allowed: false, by: "allowedModels" };
  }
  return { allowed: true };
}

function matches(pattern: string, reference: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === reference;
  const last = rest.pop() ?? "";
  if (reference.length < first.length + last.length) return false;
  if (!reference.startsWith(first) || !reference.endsWith(last)) return false;
  const end = reference.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = reference.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
