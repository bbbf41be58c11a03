/**
 * What every storage promises, as one suite. Run it against each implementation: whatever passes can
 * stand behind the product.
 */
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe } from "vitest";
import { createIds, type Ids } from "../../infra/ids.ts";
import type { Stores } from "../storage.ts";
import { describeAccess } from "./access-contract.ts";
import { describePasskeys } from "./passkey-contract.ts";
import { describeApprovals } from "./approval-contract.ts";
import { describeCredentials } from "./credential-contract.ts";
import { describeDeadTurns } from "./dead-turn-contract.ts";
import { describeEntries } from "./entry-contract.ts";
import { describeGate } from "./gate-contract.ts";
import { describeGrants } from "./grant-contract.ts";
import { describeInbox } from "./inbox-contract.ts";
import { describeLeases } from "./lease-contract.ts";
import { describeNotices } from "./notice-contract.ts";
import { describeOutbox } from "./outbox-contract.ts";
import { describePairing } from "./pairing-contract.ts";
import { describeRules } from "./rule-contract.ts";
import { describeSessions } from "./session-contract.ts";
import type { Stage } from "./stage.ts";
import { describeTenants } from "./tenant-contract.ts";
import { describeCancelledTurns } from "./turn-cancel-contract.ts";
import { describeTurns } from "./turn-contract.ts";
import { describeTurnEnds } from "./turn-end-contract.ts";
import { describeResumedTurns } from "./turn-resume-contract.ts";
import { describeRunningTurns } from "./turn-run-contract.ts";
import { describeWaitingTurns } from "./turn-wait-contract.ts";
import { describeUsage } from "./usage-contract.ts";
import { describeViews } from "./view-contract.ts";

/** Opens stores that are empty. The suite closes them; what lies beneath is the maker's to clear away. */
export type MakeStores = (parts: { clock: HandClock; ids: Ids }) => Promise<Stores>;

export function describeStoreContract(
  name: string,
  makeStores: MakeStores,
  suites: ReadonlyArray<(stage: Stage) => void> = every,
): void {
  describe(`${name} keeps the promises of a storage`, () => {
    const stage = {} as Stage;
    beforeEach(async () => {
      const clock = createHandClock();
      const stores = await makeStores({ clock, ids: createIds(() => clock.now()) });
      Object.assign(stage, { clock, stores, tenant: stores.tenant("acme") });
    });
    afterEach(() => stage.stores.close());

    for (const describeSuite of suites) describeSuite(stage);
  });
}

const every = [
  describeSessions,
  describeEntries,
  describeViews,
  describeLeases,
  describeTenants,
  describeInbox,
  describeTurns,
  describeRunningTurns,
  describeTurnEnds,
  describeCancelledTurns,
  describeDeadTurns,
  describeResumedTurns,
  describeOutbox,
  describePairing,
  describeNotices,
  describeUsage,
  describeCredentials,
  describeRules,
  describeApprovals,
  describeGrants,
  describeWaitingTurns,
  describeAccess,
  describePasskeys,
  describeGate,
];
