import { describe, expect, it } from "vitest";
import { approvalRecord } from "../../routing/testing/command-services.ts";
import { createProcessLiveness } from "../../storage/sessions/process-liveness.ts";
import { sessionLeaseName } from "../../storage/sessions/session-lease.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { queue } from "../../storage/testing/message-samples.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as approvals from "./approvals.ts";
import * as chat from "./chat.ts";

const here = createProcessLiveness().self("test");
const gone = { ...here, pid: 2 ** 22 + 1 };

/** A turn that asks, with a process at it, or put aside. */
async function ask(stores: TenantStores, state: "alive" | "died" | "put-aside"): Promise<string> {
  const turn = await queue(stores, "m1", { direct: true });
  const { turnId } = turn;
  const lease = await stores.leases.acquire({
    name: sessionLeaseName(turn),
    holder: state === "died" ? gone : here,
    ttlMs: 60_000,
    isStale: () => true,
  });
  if (lease.type !== "acquired") throw new Error("the lease is held");
  const { fence } = lease;
  const { id: _id, state: _state, ...draft } = approvalRecord({ turnId });
  const asked = await stores.approvals.ask({ ...draft, expiresAt: "2999-01-01T00:00:00.000Z" });
  await stores.turns.claim({ turnId, fence, deadlineAt: null, isStale: () => false, entriesFor: () => [] });
  if (state === "put-aside") {
    await stores.turns.park({ turnId, fence, state: "waiting", reason: "approval" });
    await stores.leases.release(fence);
  }
  return asked.id;
}

const ways: Array<[string, (home: CommandHome, id: string) => Promise<string>]> = [
  [
    "pincer approvals approve",
    async (home, id) => (await home.run(approvals, "approvals", "approve", id)).err,
  ],
  [
    "/approve in a chat",
    async (home, id) =>
      (await home.runAt(createFakeTerminal({ typed: `/approve ${id}\n` }), chat, "chat")).err,
  ],
];

describe.each(ways)("after a yes by %s, where no gateway runs", (_way, approve) => {
  it.each([
    ["died", "the run that asked has ended", "continues when you start one"],
    ["put-aside", "continues when you start one", "the run that asked has ended"],
  ] as const)("a turn that %s has its future told", async (state, said, unsaid) => {
    const home = await createCommandHome();
    const id = await home.fill((stores) => ask(stores, state));
    const told = await approve(home, id);
    expect(told).toMatch(/approved/i);
    expect(told).toContain(said);
    expect(told).not.toContain(unsaid);
  });

  it("nothing more is said of a turn whose process waits for it", async () => {
    const home = await createCommandHome();
    const id = await home.fill((stores) => ask(stores, "alive"));
    const told = await approve(home, id);
    expect(told).toMatch(/approved/i);
    expect(told).not.toMatch(/is over|goes on/);
  });
});
