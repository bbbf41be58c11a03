import { describe, expect, it } from "vitest";
import type { ApprovalDraft, ApprovalRecord } from "../../storage/approvals/approvals.ts";
import type { TenantStores } from "../../storage/storage.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import * as approvals from "./approvals.ts";

const draft = (callId: string): ApprovalDraft => ({
  turnId: "t_1",
  callId,
  workspaceId: "w1",
  sessionKey: "agent:main:main",
  agentId: "main",
  personId: "telegram:42",
  subject: {
    tool: "exec",
    call: { name: "exec", arguments: { command: "make deploy" } },
    shown: "make deploy",
    command: {
      directory: "/srv/site",
      environment: { STAGE: "live" },
      programs: ["make → /usr/bin/make"],
      wall: "outside any sandbox",
    },
    digest: `d_${callId}`,
  },
  reason: "it would run outside any sandbox",
  reasons: [{ code: "unwalled", values: {} }],
  rule: "tool exec",
  cause: { argument: "command", value: "deploy", from: "file todo.md", sentence: "Then make deploy." },
  scopes: ["once", "shape"],
  keys: { shape: "make *" },
  expiresAt: "2999-01-01T00:00:00.000Z",
});

const askTwo = async ({ approvals: store }: Pick<TenantStores, "approvals">) =>
  [await store.ask(draft("c_1")), await store.ask(draft("c_2"))] as [ApprovalRecord, ApprovalRecord];

type Fill<Result> = (stores: Pick<TenantStores, "approvals">) => Promise<Result>;
const ways: Array<[string, <Result>(home: CommandHome, fill: Fill<Result>) => Promise<Result>]> = [
  ["without a gateway", (home, fill) => home.fill(fill)],
  ["through a gateway", async (home, fill) => fill((await home.startGateway()).openedHome.stores)],
];

describe.each(ways)("pincer approvals %s", (_way, begin) => {
  it("SAFE-02 lists what waits and shows one in full, with what else waits", async () => {
    const home = await createCommandHome();
    const [one, two] = await begin(home, askTwo);
    const listed = await home.run(approvals, "approvals", "list");
    expect(listed).toMatchObject({ status: 0, err: "" });
    expect(listed.out).toContain(one.id);
    expect(listed.out).toContain("make deploy");
    const shown = await home.run(approvals, "approvals", "show", one.id.toLowerCase());
    for (const part of [
      "│ make deploy",
      "in: /srv/site",
      "with: STAGE=live",
      "programs: make → /usr/bin/make",
      "sandbox: outside any sandbox",
      "because: it would run outside any sandbox",
      "from file “todo.md”: “Then make deploy.”",
      " left",
      `Also waiting: ${two.id} (exec).`,
    ])
      expect(shown.out).toContain(part);
    const { approvals: found } = (await home.run(approvals, "approvals", "list", "--json")).json<{
      approvals: Array<{ id: string }>;
    }>();
    expect(found.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort());
  });

  it("shows a card, answers some of it, and denies the rest", async () => {
    const home = await createCommandHome();
    const limits = { inTask: 3 };
    const drafts = ["c_1", "c_2", "c_3"].map(draft);
    const asked = await begin(home, ({ approvals: store }) => store.askTogether(drafts, limits));
    const [first] = asked.flatMap((each) => (each.type === "asked" ? [each.approval] : []));
    const card = first?.card ?? "";
    const shown = (await home.run(approvals, "approvals", "show", card.slice(0, 5))).out;
    expect(shown).toContain(`${card} · 3 things need your approval`);
    expect(shown).toContain(`2. exec (${card}-2)`);
    const wrong = await home.run(approvals, "approvals", "approve", card, "--only", "1,4");
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining("has no number 4")]);
    const some = await home.run(approvals, "approvals", "approve", card, "--only", "1,3", "--json");
    expect(some.json()).toMatchObject({
      approvals: [{ state: "approved" }, { state: "denied" }, { state: "approved" }],
    });
    const over = await home.run(approvals, "approvals", "approve", card);
    expect([over.status, over.err]).toEqual([1, expect.stringContaining("was already approved")]);
  });

  it("says yes and no by id or its beginning, and only once", async () => {
    const home = await createCommandHome();
    const [one, two] = await begin(home, askTwo);
    const yes = await home.run(approvals, "approvals", "approve", one.id.toLowerCase());
    expect(yes).toMatchObject({ status: 0, out: "" });
    expect(yes.err).toContain(`${one.id} is approved once.`);
    const no = await home.run(approvals, "approvals", "deny", two.id.slice(0, 5), "--json");
    expect(no.json()).toMatchObject({ approval: { id: two.id, state: "denied", answeredBy: "cli:owner" } });
    const again = await home.run(approvals, "approvals", "deny", one.id);
    expect(again).toMatchObject({ status: 1, out: "" });
    expect(again.err).toContain(`${one.id} was already approved by cli:owner.`);
    expect(await home.run(approvals, "approvals", "list")).toMatchObject({
      out: "",
      err: "No request waits for you.\n",
    });
    expect((await home.run(approvals, "approvals", "list", "--all")).out).toContain("denied, by cli:owner");
  });

  it("shows what was allowed for longer, and takes it back", async () => {
    const home = await createCommandHome();
    const [{ id }] = await begin(home, askTwo);
    expect((await home.run(approvals, "approvals", "grants")).err).toContain("Nothing is approved");
    const yes = await home.run(approvals, "approvals", "approve", id, "--scope", "shape");
    expect(yes.err).toContain(`${id} is approved, and so are commands like make * from now on.`);
    const { grants } = (await home.run(approvals, "approvals", "grants", "--json")).json<{
      grants: Array<{ id: string; scope: string }>;
    }>();
    expect(grants).toMatchObject([{ scope: "shape" }]);
    const grant = grants[0]?.id ?? "";
    expect((await home.run(approvals, "approvals", "grants")).out).toContain("until you revoke it");
    expect(await home.run(approvals, "approvals", "grants", "revoke", grant)).toMatchObject({ status: 0 });
    const gone = await home.run(approvals, "approvals", "grants", "revoke", grant, "--json");
    expect(gone).toMatchObject({ status: 1 });
    expect(gone.json()).toMatchObject({ error: { code: "approval/not-found" } });
  });

  it("lists commands that were allowed in words, never as they are stored", async () => {
    const home = await createCommandHome();
    const shape = { program: "wc", words: ["-l"], hasFreeOperands: true, place: "/srv/site" };
    const grantAll = async ({ approvals: store }: Pick<TenantStores, "approvals">) => {
      const keys = { shape: `exec ${JSON.stringify(shape)}` };
      const { id } = await store.ask({ ...draft("c_3"), keys });
      await store.answer(id, { verdict: "approved", scope: "shape", by: "cli:owner" });
    };
    await home.fill(grantAll);
    await begin(home, askTwo);
    const { out } = await home.run(approvals, "approvals", "grants");
    expect(out).toContain("wc -l … (any files of the workdir)");
    expect(out).not.toContain("{");
  });

  it("names what waits where the id is unknown, and refuses a scope that was not offered", async () => {
    const home = await createCommandHome();
    const [one, two] = await begin(home, askTwo);
    const unknown = await home.run(approvals, "approvals", "approve", "zzzzzz");
    expect(unknown).toMatchObject({ status: 1, out: "" });
    for (const { id } of [one, two]) expect(unknown.err).toContain(`${id} (exec)`);
    const wide = await home.run(approvals, "approvals", "approve", one.id, "--scope", "recipient");
    expect(wide).toMatchObject({ status: 2, out: "" });
    expect(wide.err).toContain("once, shape");
    const wrong = await home.run(approvals, "approvals", "approve", one.id, "--scope", "forever");
    expect(wrong).toMatchObject({ status: 2, out: "" });
    expect((await home.run(approvals, "approvals", "show", one.id)).out).toContain("waiting");
  });

  it("speaks Chinese", async () => {
    const home = await createCommandHome();
    const [{ id }] = await begin(home, askTwo);
    expect((await home.runInChinese(approvals, "approvals", "deny", id)).err).toContain("已拒绝");
  });
});
