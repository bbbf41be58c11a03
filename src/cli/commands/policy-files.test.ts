import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { OpenHome } from "../../storage/home/open-home.ts";
import { createCommandHome } from "../testing/command-home.ts";
import * as context from "./context.ts";
import * as doctor from "./doctor.ts";
import * as policy from "./policy.ts";
import * as tools from "./tools.ts";

vi.setConfig({ testTimeout: 30_000 });

/** A home with a workspace, and a folder of somebody else's. */
async function filledHome() {
  const home = await createCommandHome();
  // The database is there before the files: nothing in them is from before.
  await home.fill(async () => {});
  const workspace = join(home.root, "home", "workspace");
  const clone = join(home.root, "clone");
  await mkdir(workspace, { recursive: true });
  await mkdir(join(clone, "skills", "deploy"), { recursive: true });
  await writeFile(join(workspace, "notes.md"), "one\n");
  await writeFile(join(workspace, "AGENTS.md"), "be brief\n");
  await writeFile(join(clone, "AGENTS.md"), "obey\n");
  const skill = "---\nname: deploy\ndescription: Deploys it.\n---\n";
  await writeFile(join(clone, "skills", "deploy", "SKILL.md"), skill);
  return { ...home, workspace: await realpath(workspace), clone: await realpath(clone) };
}

/** One turn with the owner's words alone, and one that has read a file. */
async function answeredSession({ sessions, entries }: OpenHome["stores"]) {
  const { session } = await sessions.open({
    sessionKey: "agent:main:main",
    workspaceId: "w_default",
    agentId: "main",
    origin: { channel: "cli" },
    cwd: "/",
  });
  const text = (words: string) => [{ type: "text" as const, text: words, origin: "owner" as const }];
  const label = { untrusted: true, sources: ["file:a.md", "memory"] };
  const result = { role: "toolResult" as const, toolCallId: "c", toolName: "read", isError: false };
  await entries.append(session.sessionId, [
    { type: "message", runId: "r_1", message: { role: "user", content: text("hello") } },
    { type: "message", runId: "r_2", message: { role: "user", content: text("what is in a.md?") } },
    {
      type: "message",
      runId: "r_2",
      message: { ...result, content: [{ type: "text", text: "x" }], origin: "file", from: "a.md", label },
    },
  ]);
  return session;
}

const words = (out: string) => out.trimEnd().split(/\s{2,}/u);

describe.each(["over the home", "beside a gateway"])("pincer policy labels, %s", (where) => {
  async function stage() {
    const home = await filledHome();
    if (where === "beside a gateway") await home.startGateway();
    return home;
  }

  it("shows whose words are in a file and why, and the owner takes the label away", async () => {
    const { run, runInChinese, workspace } = await stage();
    const file = join(workspace, "notes.md");
    const before = await run(policy, "policy", "labels", file);
    expect(words(before.out)).toEqual([
      "notes.md",
      "untrusted file:notes.md",
      expect.stringMatching(/^no program ran when it was changed, \d{4}-/),
    ]);
    expect((await runInChinese(policy, "policy", "labels", "notes.md")).out).toContain("不可信");
    const done = await run(policy, "policy", "labels", "--trust", file);
    expect(done).toMatchObject({ status: 0, err: "1 files count as yours from now on, as they are now.\n" });
    const { files } = (await run(policy, "policy", "labels", file, "--json")).json() as {
      files: unknown[];
    };
    expect(files).toMatchObject([
      { name: "notes.md", untrusted: false, sources: ["file:notes.md"], why: "owner" },
    ]);
    await writeFile(file, "another\n");
    expect((await run(policy, "policy", "labels", file)).out).toContain("untrusted file:notes.md");
  });

  it("settles a folder in one command, and audits it", async () => {
    const { run, fill, workspace } = await stage();
    await mkdir(join(workspace, "sub"));
    await writeFile(join(workspace, "sub", "b.md"), "two\n");
    expect((await run(policy, "policy", "labels", "--trust", workspace, "--json")).json()).toEqual({
      trusted: 3,
      skipped: [],
    });
    const { out } = await run(policy, "policy", "labels", workspace);
    expect(out.split("\n").filter((line) => line.includes("untrusted"))).toEqual([]);
    if (where === "beside a gateway") return;
    const records = await fill((stores) => stores.audit.list({ limit: 9, action: "file-label" }));
    expect(records).toMatchObject([
      { actor: "cli:owner", resourceId: "home:/workspace", metadata: { files: 3 } },
    ]);
  });

  it("shows the label of each turn of a session, and where its untrusted texts come from", async () => {
    const home = await filledHome();
    const { sessionKey } = await home.fill((stores) => answeredSession(stores));
    if (where === "beside a gateway") await home.startGateway();
    const { out } = await home.run(policy, "policy", "labels", sessionKey);
    expect(out.trimEnd().split("\n").map(words)).toEqual([
      ["r_2", expect.any(String), "untrusted file:a.md memory", "file a.md"],
      ["r_1", expect.any(String), "yours"],
    ]);
    const shown = (await home.run(policy, "policy", "labels", sessionKey, "--json")).json();
    expect(shown).toMatchObject({
      type: "session",
      turns: [{ turnId: "r_2", untrusted: true, because: ["file a.md"] }, { turnId: "r_1" }],
    });
  });

  it("says what there is not, and what cannot be", async () => {
    const { run } = await stage();
    const none = await run(policy, "policy", "labels", "nowhere.md");
    expect(none).toMatchObject({ status: 2, err: expect.stringContaining("there is no file") });
    const session = await run(policy, "policy", "labels", "agent:main:named:nobody");
    expect(session).toMatchObject({ status: 1, err: expect.stringContaining("session") });
  });
});

it("writes by hand are the owner's, and programs widen the label", async () => {
  const { run, workspace } = await filledHome();
  const args = JSON.stringify({ path: "mine.md", content: "by hand" });
  expect(await run(tools, "tools", "invoke", "write", "--args", args)).toMatchObject({ status: 0 });
  expect((await run(policy, "policy", "labels", join(workspace, "mine.md"))).out).toContain(
    "yours file:mine.md",
  );
  const command = JSON.stringify({ command: "echo x > its.md" });
  await run(tools, "tools", "invoke", "exec", "--args", command);
  const { out } = await run(policy, "policy", "labels", join(workspace, "its.md"));
  expect(out).toContain("untrusted file:its.md workdir");
  expect(out).toContain("a program may have changed it");
});

describe.each(["over the home", "beside a gateway"])("pincer policy accept, %s", (where) => {
  async function stage() {
    const home = await filledHome();
    if (where === "beside a gateway") await home.startGateway();
    return home;
  }

  it("shows what would steer the assistant in a clone, and takes it in when the owner says so", async () => {
    const { run, clone } = await stage();
    const asked = await run(policy, "policy", "accept", clone);
    expect(asked).toMatchObject({
      status: 2,
      err: expect.stringContaining("AGENTS.md, new:\n  @@ -0,0 +1,1 @@\n  +obey\n"),
    });
    const done = await run(policy, "policy", "accept", clone, "--yes", "--json");
    expect(done.json()).toEqual({
      accepted: ["AGENTS.md", "skills/deploy/SKILL.md"],
      changed: [],
    });
    expect((await run(policy, "policy", "accept", clone, "--yes")).err).toContain(
      `Everything in ${clone} that steers the assistant is accepted.`,
    );
    const skill = join(clone, "skills", "deploy", "SKILL.md");
    await writeFile(skill, "---\nname: deploy\ndescription: Another.\n---\n");
    expect((await run(policy, "policy", "accept", skill, "--yes")).err).toContain("Accepted: skills/deploy/");
    await writeFile(join(clone, "AGENTS.md"), "obey me\n");
    const changed = await run(policy, "policy", "accept", join(clone, "AGENTS.md"), "--yes");
    expect(changed.err).toBe(
      "AGENTS.md, changed since you accepted it:\n  @@ -1,1 +1,1 @@\n  -obey\n  +obey me\nAccepted: AGENTS.md\n",
    );
  });

  it("has nothing to ask about in the agent's own workspace", async () => {
    const { run, runInChinese, workspace } = await stage();
    expect((await run(policy, "policy", "accept")).err).toContain(`Everything in ${workspace}`);
    const other = await runInChinese(policy, "policy", "accept", join(workspace, "notes.md"));
    expect(other).toMatchObject({ status: 0 });
  });
});

it("a prompt leaves out what was not accepted, and the context says why", async () => {
  const { run, clone, environment, fill } = await filledHome();
  const config = JSON.stringify({ agents: { defaults: { workspace: clone } } });
  await writeFile(join(environment["PINCER_HOME"] ?? "", "config.json5"), config);
  const shown = async () => (await run(context, "context", "show")).out;
  expect(await shown()).toContain("the owner has not accepted it; see pincer policy accept");
  const found = await run(doctor, "doctor");
  expect(found.out + found.err).toContain(`${join(clone, "AGENTS.md")}`);
  const notices = await fill((stores) => stores.notices.list({ limit: 9 }));
  expect(notices.map(({ text }) => text)).toEqual([
    { key: "notice.steering", parameters: { workdir: clone, files: "AGENTS.md, skills/deploy/SKILL.md" } },
  ]);
  await run(policy, "policy", "accept", clone, "--yes");
  expect(await shown()).not.toContain("not accepted");
});
