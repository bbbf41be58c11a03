import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Label } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWriteFileTool } from "../../tools/files/write-file.ts";
import { createEditFileTool } from "../../tools/files/edit-file.ts";
import { callFrom, createLabelStage, type LabelStage } from "./testing/label-stage.ts";

let stage: LabelStage;
beforeEach(async () => {
  stage = await createLabelStage();
});
afterEach(() => stage.remove());

const clean: Label = { untrusted: false, sources: [] };
const stranger: Label = { untrusted: true, sources: [] };
const agents = "AGENTS.md";

/** Why the prompt leaves it out; undefined: it is in there. */
async function refusal(name = agents, agentId = "main") {
  const { bytes, version } = await stage.files.version(name);
  const changedAt = await stage.files.changedAt(name);
  const text = bytes?.toString() ?? "";
  return stage.labels().accepted.judge({ agentId, workdir: stage.workdir, version, changedAt, text });
}
async function accept(name = agents) {
  const { bytes, version } = await stage.files.version(name);
  const file = { agentId: "main", workdir: stage.workdir, version, text: bytes?.toString() ?? "" };
  await stage.labels().accepted.accept(file, "cli:owner");
}
const notices = async () => (await stage.stores.notices.list({ limit: 9 })).map(({ text }) => text);
const acceptedBy = async () =>
  (await stage.stores.gate.listAccepted("main")).map(({ by, hash }) => [by, hash.slice(0, 4)]);
const write = (content: string, call = callFrom(stranger)) =>
  createWriteFileTool(stage.files, stage.labels().files).run({ path: agents, content }, call);

describe("in the agent's own workspace", () => {
  it("the version that only the owner's editor can have written counts by itself, with each change", async () => {
    await stage.put(agents, "be brief");
    expect(await refusal()).toBeUndefined();
    await stage.later();
    await stage.put(agents, "be very brief");
    expect(await refusal()).toBeUndefined();
    expect((await acceptedBy()).map(([by]) => by)).toEqual(["editor", "editor"]);
    expect(await stage.labelOf(agents)).toEqual(clean);
    expect(await notices()).toEqual([]);
  });

  it("SEC-02 the text of a skill is somebody's until the owner accepts it, though its line stands in the prompt", async () => {
    await mkdir(join(stage.workdir, "skills/rice"), { recursive: true });
    await stage.put("skills/rice/SKILL.md", "two cups of water");
    expect(await refusal("skills/rice/SKILL.md")).toBeUndefined();
    expect(await stage.labelOf("skills/rice/SKILL.md")).toEqual({ untrusted: true, sources: [] });
    await stage.program(() => stage.put("skills/rice/SKILL.md", "three cups"));
    await stage.later();
    expect(await refusal("skills/rice/SKILL.md")).toBe("changed");
    await accept("skills/rice/SKILL.md");
    expect(await stage.labelOf("skills/rice/SKILL.md")).toEqual(clean);
  });

  it("one that a program may have written does not, until the owner accepts it, and that is told once", async () => {
    await stage.put(agents, "be brief");
    expect(await refusal()).toBeUndefined();
    await stage.later();
    await stage.program(() => stage.put(agents, "obey the page"));
    await stage.later();
    expect([await refusal(), await refusal()]).toEqual(["changed", "changed"]);
    expect(await notices()).toEqual([
      { key: "notice.steering", parameters: { workdir: stage.workdir, files: agents } },
    ]);
    const { accepted } = stage.labels();
    expect(await accepted.textBefore("main", join(stage.workdir, agents))).toBe("be brief");
    const before = accepted.revision();
    await accept();
    expect(accepted.revision()).toBeGreaterThan(before);
    expect(await refusal()).toBeUndefined();
    expect(await notices()).toEqual([]);
  });

  it("nor does one that a program put there without writing it: moved, in a moved folder, or behind a link", async () => {
    await mkdir(join(stage.workdir, "clone/x"), { recursive: true });
    for (const name of ["AGENTS.md", "x/SKILL.md", "SOUL.md"]) await stage.put(`clone/${name}`, "obey");
    await stage.later();
    await stage.program(async () => {
      const at = (name: string) => join(stage.workdir, name);
      await rename(at("clone/AGENTS.md"), at("AGENTS.md"));
      await mkdir(at("skills"));
      await rename(at("clone/x"), at("skills/x"));
      await symlink("clone/SOUL.md", at("SOUL.md"));
    });
    await stage.later();
    const names = ["AGENTS.md", "skills/x/SKILL.md", "SOUL.md"];
    expect(await Promise.all(names.map((name) => refusal(name)))).toEqual(["new", "new", "new"]);
  });

  it("one that was written among strangers' texts does not, one that was written without them does", async () => {
    await write("obey the page");
    expect(await refusal()).toBe("new");
    await write("be brief", callFrom(clean));
    expect(await refusal()).toBeUndefined();
    const edit = createEditFileTool(stage.files, stage.labels().files);
    await edit.run({ path: agents, oldText: "brief", newText: "loud" }, callFrom(stranger));
    expect(await refusal()).toBe("changed");
  });

  it("what the owner was shown and said yes to counts, if what it was made of did", async () => {
    const place = { chatType: "main", userRoles: ["owner"], sessionKey: "s", agentId: "main" } as const;
    const yes = callFrom(stranger, { confirmed: true, place });
    await write("from a page, and wanted", yes);
    expect(await refusal()).toBeUndefined();
    await stage.program(() => stage.put(agents, "one two"));
    await stage.later();
    const edit = createEditFileTool(stage.files, stage.labels().files);
    await edit.run({ path: agents, oldText: "one", newText: "three" }, yes);
    expect(await refusal()).toBe("changed");
  });

  it("what was there at the upgrade counts once", async () => {
    await stage.put(agents, "be brief");
    await stage.unrecordedUntilNow();
    expect(await refusal()).toBeUndefined();
    expect((await acceptedBy()).map(([by]) => by)).toEqual(["upgrade"]);
    await stage.put(agents, "be loud");
    await stage.unrecordedUntilNow();
    expect(await refusal()).toBe("changed");
  });

  it("after a loss nothing counts by itself that is older", async () => {
    await stage.put(agents, "be brief");
    await stage.stores.gate.noteLoss(stage.now() + 1000);
    expect(await refusal()).toBe("new");
    await accept();
    expect(await refusal()).toBeUndefined();
  });

  it("what counted before may come back, and counts for this agent alone", async () => {
    await stage.put(agents, "one");
    expect(await refusal()).toBeUndefined();
    await stage.put(agents, "two");
    expect(await refusal()).toBeUndefined();
    await stage.program(() => stage.put(agents, "one"));
    expect(await refusal()).toBeUndefined();
    expect(await refusal(agents, "other")).toBe("new");
  });

  it("one that is too large never does", async () => {
    await writeFile(join(stage.workdir, agents), Buffer.alloc(20_000_001, "x"));
    expect(await refusal()).toBe("large");
    await rm(join(stage.workdir, agents));
  });
});

describe("in any other folder, a clone for instance", () => {
  beforeEach(async () => {
    await stage.remove();
    stage = await createLabelStage({ at: "clone" });
  });

  it("nothing counts before the owner has accepted it", async () => {
    await stage.put(agents, "obey");
    await stage.put("SOUL.md", "obey");
    expect([await refusal(), await refusal("SOUL.md")]).toEqual(["new", "new"]);
    expect(await notices()).toMatchObject([{ parameters: { files: "AGENTS.md, SOUL.md" } }]);
    await accept();
    expect([await refusal(), await refusal("SOUL.md")]).toEqual([undefined, "new"]);
    expect(await notices()).toMatchObject([{ parameters: { files: "SOUL.md" } }]);
    await stage.put(agents, "obey the next one");
    expect(await refusal()).toBe("changed");
  });
});
