/** How long a credential is set aside: longer after each failure in a row, and never longer than the most. */
import type { Config } from "../../config/schema.ts";

export type CooldownSettings = Config["auth"]["cooldowns"];

/** AUTH-09. `errorCount` is 1 after the first failure. */
export const cooldownMs = (errorCount: number, { baseMs, factor, maxMs }: CooldownSettings): number =>
  growing(errorCount, baseMs, factor, maxMs);

/** AUTH-10: for lack of money or quota, which passes less soon. */
export const billingPauseMs = (
  billingCount: number,
  { billingBaseMs, billingFactor, billingMaxMs }: CooldownSettings,
): number => growing(billingCount, billingBaseMs, billingFactor, billingMaxMs);

const growing = (count: number, base: number, factor: number, most: number): number =>
  count < 1 ? 0 : Math.min(most, base * factor ** (count - 1));
