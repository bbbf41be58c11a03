import { describe, expect, it } from "vitest";
import type { Grant } from "../../gate/grants/grant.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import { createCommandHome } from "../testing/command-home.ts";
import * as policy from "./policy.ts";

const grant: Grant = {
  by: "planner",
  id: "",
  tool: "message",
  quote: "tell Bob",
  recipients: ["telegram:7"],
  hosts: [],
  args: {},
  sources: ["file:notes.md"],
  count: 1,
};

/** A turn in which something was asked for and done, and one in which nothing had to be. */
async function fill({ turns, inbox, gate }: OpenHome["stores"]): Promise<string> {
  const ids: string[] = [];
  for (const text of ["tell Bob", "hello"]) {
    const peer = { kind: "user" as const, id: "owner" };
    const message = { type: "text" as const, id: text, text, attachments: [], mentioned: true };
    const { row } = await inbox.accept({
      tenantId: "t_default",
      workspaceId: "w_default",
      channel: "cli",
      accountId: "default",
      peer,
      sender: { id: "owner" },
      message,
      timestamp: 0,
    });
    const queued = await turns.enqueue({
      inputs: [row.id],
      session: {
        sessionKey: "agent:main:main",
        workspaceId: "w_default",
        agentId: "main",
        origin: { channel: "cli" },
        cwd: "/",
      },
      destination: null,
      person: { role: "owner", id: "cli:owner" },
      rule: "default",
      options: {},
      mode: "followup",
      cap: 9,
      direct: true,
    });
    if (queued.type !== "queued") throw new Error(queued.type);
    ids.push(queued.turn.turnId);
  }
  const [turnId = ""] = ids;
  await gate.keepPlan(turnId, { type: "planned", grants: [grant] });
  await gate.noteUse(turnId, "call_1", grant);
  return turnId;
}

describe.each(["over the home", "beside a gateway"])("pincer policy explain of a turn, %s", (where) => {
  async function stage() {
    const home = await createCommandHome();
    const turnId = await home.fill((stores) => fill(stores));
    if (where === "beside a gateway") await home.startGateway();
    return { ...home, turnId };
  }

  it("says by which words something was granted, and what was done with it", async () => {
    const { run, runInChinese, turnId } = await stage();
    const { out } = await run(policy, "policy", "explain", turnId);
    expect(out).toContain(
      "You asked for: write to “telegram:7”, with the content of file “notes.md”, once “tell Bob” (used once)",
    );
    const chinese = await runInChinese(policy, "policy", "explain", turnId);
    expect(chinese.out).toContain("你要求：写给 “telegram:7”");
    const { turns } = (await run(policy, "policy", "explain", turnId, "--json")).json<{ turns: unknown[] }>();
    expect(turns).toMatchObject([{ turnId, planner: "answered", grants: [{ uses: ["call_1"] }] }]);
  });

  it("says what there is not, and takes no options that are about a call", async () => {
    const { run, turnId } = await stage();
    const gone = await run(policy, "policy", "explain", `r_${"0".repeat(26)}`);
    expect(gone).toMatchObject({ status: 1, err: expect.stringContaining("r_0000") });
    const odd = await run(policy, "policy", "explain", turnId, "--as", "peer");
    expect(odd).toMatchObject({ status: 2, out: "" });
  });
});
