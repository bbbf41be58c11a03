import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { createIds } from "../../infra/ids.ts";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import type { ProgramRecord } from "../../sandbox/programs/program.ts";
import { createNetwork } from "./network.ts";
import { createWorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import { createProgramRunner, type ProgramRunnerParts } from "./program-runner.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pincer-room-")));
  await mkdir(join(root, "workspace"));
});
afterEach(() => rm(root, { recursive: true }));

function openRoom(more: Partial<ProgramRunnerParts> = {}) {
  const exec = { ...defaultConfig.tools.exec, network: { allow: ["example.com"] } };
  const config = { ...defaultConfig, tools: { ...defaultConfig.tools, exec } } as unknown as Config;
  const clock = createHandClock(Date.now());
  const network = createNetwork({ config: () => config, clock });
  const room = createProgramRunner({
    keeper: createWorkdirRegistry(),
    home: locateHome({ PINCER_HOME: root }),
    config: () => config,
    environment: { PATH: process.env["PATH"], HOME: join(root, "workspace") },
    network,
    redactor: createRedactor(),
    clock,
    ids: createIds(),
    say: createSay("en"),
    lasts: true,
    ...more,
  });
  onTestFinished(async () => {
    await room.close();
    await network.close();
  });
  return room;
}

describe("where programs run", () => {
  it("a way out that could not be opened is tried again, and says nothing of the home", async () => {
    const { enclosure } = openRoom().execParts(join(root, "workspace"));
    await writeFile(join(root, "run"), "in the way");
    await expect(enclosure()).rejects.toMatchObject({
      code: "storage/unavailable",
      message: expect.not.stringContaining(root),
      hint: expect.any(String),
    });
    await rm(join(root, "run"));
    expect(await enclosure()).toMatchObject({ network: { type: "broker" } });
    // TOOL-22: what a sensitive conversation runs reaches nobody.
    expect(await enclosure("nowhere")).toMatchObject({ network: { type: "none" } });
  });

  it("SAFE-04 what steers the assistant is looked after while a program runs", async () => {
    const workdir = join(root, "workspace");
    await writeFile(join(workdir, "SOUL.md"), "mine");
    const { watch } = openRoom().execParts(workdir);
    const watching = await watch?.("read-only", "steering");
    expect(watching?.there).toEqual(["SOUL.md"]);
    await writeFile(join(workdir, "AGENTS.md"), "obey");
    await mkdir(join(workdir, "skills"));
    await writeFile(join(workdir, "skills", "SKILL.md"), "obey");
    expect((await watching?.inspect())?.toSorted()).toEqual(["AGENTS.md", "skills"]);
    watching?.end();
  });

  it("the workdirs of all agents are known", () => {
    const { workdirs } = openRoom().execParts(join(root, "elsewhere"));
    expect(workdirs()).toContain(join(root, "workspace"));
  });

  it("SHELL-06 an end that was promised is told by the next start, once", async () => {
    const first = openRoom();
    const program = await first.programs.start({
      command: "echo ready",
      cwd: root,
      sessionKey: "s1",
      call: () => ({
        file: "/bin/sh",
        args: ["-c", "echo ready; exec sleep 1000"],
        cwd: root,
        environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
      }),
    });
    program.background(() => undefined);
    await expect.poll(() => program.output().text, { timeout: 30_000 }).toContain("ready");
    await first.close();
    const heard: Array<{ record: ProgramRecord; text: string }> = [];
    const deaf = () => Promise.reject(new Error("not now"));
    await expect(openRoom({ onLost: deaf }).recover()).rejects.toThrow("not now");
    const onLost = async (record: ProgramRecord, text: string) => void heard.push({ record, text });
    await openRoom({ onLost }).recover();
    await openRoom({ onLost }).recover();
    expect(heard).toMatchObject([
      { record: { sessionKey: "s1", state: "lost" }, text: expect.stringMatching(/lost: .*[^]*ready/) },
    ]);
  });
});
