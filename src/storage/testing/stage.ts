/** What a contract test works with: fresh for each test, so read it within one. */
import type { HandClock } from "@pincer/sdk/testing";
import type { Stores, TenantStores } from "../storage.ts";

export interface Stage {
  clock: HandClock;
  stores: Stores;
  /** The stores of the tenant `acme`. */
  tenant: TenantStores;
}
