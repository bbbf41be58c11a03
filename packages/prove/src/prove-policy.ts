/** The policy of a home of the proof: set before its first life, and looked for after the last one. */
import { createRedactor } from "../../../src/infra/redactor.ts";
import { createSay } from "../../../src/infra/texts.ts";
import { examineHome } from "../../../src/storage/home/examine-home.ts";
import { openHome } from "../../../src/storage/home/open-home.ts";
import type { TenantStores } from "../../../src/storage/storage.ts";
import { accountKinds } from "./account-kinds.ts";
import { forbiddenTool } from "./prove-tools.ts";
import { knownByPairing } from "./scenario.ts";

const surroundings = (home: string) => ({
  environment: { PINCER_HOME: home },
  redactor: createRedactor(),
  say: createSay("en"),
  cwd: home,
});

const rule = `never use ${forbiddenTool}`;
const owner = { channel: "keyed", senderId: "owner" };
const allowed = accountKinds.map((channel) => ({
  channel,
  accountId: "default",
  senderId: knownByPairing,
  by: "pairing",
}));
const grantKey = "prove *";

/** A rule that denies a tool, people who were let in, an owner, and a grant. */
export async function setPolicy(home: string): Promise<void> {
  const opened = await openHome({ ...surroundings(home), notify: () => {} }, {});
  try {
    const { rules, pairing, approvals } = opened.stores;
    await rules.add({
      text: rule,
      enforcement: { tools: [forbiddenTool] },
      agentId: null,
      setBy: "cli:owner",
    });
    await pairing.allow(allowed);
    await pairing.openClaim({ code: "prove", ttlMs: 60_000 });
    await pairing.claimOwner({ code: "prove", ...owner, maxTries: 5 });
    await grant(approvals, opened.workspaceId);
  } finally {
    await opened.close();
  }
}

/** A grant comes with the answer to a question. */
async function grant(approvals: TenantStores["approvals"], workspaceId: string): Promise<void> {
  const { id } = await approvals.ask({
    turnId: "r_prove",
    callId: "call_prove",
    workspaceId,
    sessionKey: "prove",
    agentId: "main",
    personId: `${owner.channel}:${owner.senderId}`,
    subject: {
      tool: "exec",
      call: { name: "exec", arguments: {} },
      shown: "prove it",
      digest: "0".repeat(64),
    },
    reason: "prove",
    rule: "prove",
    scopes: ["once", "shape"],
    keys: { shape: grantKey },
    expiresAt: "2100-01-01T00:00:00.000Z",
  });
  await approvals.answer(id, { verdict: "approved", scope: "shape", by: "cli:owner" });
}

/** What of it is gone, in a home that nobody has open; where nothing can be looked up, nothing is said: that is a flaw of its own. */
export async function findMissingPolicy(home: string): Promise<string[]> {
  const examined = examineHome(surroundings(home));
  try {
    const found = await examined.database();
    if (found.type === "failed") return [];
    // One that is gone is made anew, as the next start would.
    const database = found.type === "open" ? found : await examined.makeDatabase();
    const { rules, pairing, approvals } = database.tenant;
    const missing: string[] = [];
    const stored = await rules.list();
    if (!stored.some(({ text, enforcement }) => text === rule && enforcement?.tools.includes(forbiddenTool)))
      missing.push(`the rule is gone: ${rule}`);
    for (const sender of allowed) {
      if (!(await pairing.isAllowed(sender)))
        missing.push(`${sender.senderId} on ${sender.channel} is not let in any more`);
    }
    if (!(await pairing.isOwner(owner.channel, owner.senderId))) missing.push("the owner is gone");
    if (!(await approvals.listGrants({ limit: 10 })).some(({ key }) => key === grantKey))
      missing.push(`the grant is gone: ${grantKey}`);
    return missing;
  } finally {
    await examined.closeDatabase();
  }
}
