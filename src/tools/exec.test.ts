import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tool, ToolCallContext, ToolResult, ToolVisibility } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { estimateTokens } from "../agent/context/estimate-tokens.ts";
import { createShells } from "../sandbox/programs/find-shell.ts";
import { stagePrograms, type ProgramStage } from "../sandbox/programs/testing/stage-programs.ts";
import type { Enclosure, ProgramCall, Wall, WallChoice } from "../sandbox/walls/wall.ts";
import { createExecTool } from "./exec.ts";
import type { ExecParts, ExecSettings } from "./exec-parts.ts";
import { createProcessTool } from "./process.ts";
import { createWorkdirRegistry } from "../sandbox/workdir-registry.ts";
import { createToolExecutor } from "./tool-executor.ts";
import { createToolSet } from "./tool-set.ts";

const unwalled: WallChoice = { type: "unwalled", profile: "none", reason: "sandbox is none" };
const waits = { timeout: 30_000, interval: 10 };

// Real programs, on machines that may have much else to do.
vi.setConfig({ testTimeout: 60_000 });

let stage: ProgramStage;
let workdir: string;
let choice: WallChoice;
/** Answers of the wall before it is the one above. */
let choices: WallChoice[];
let settings: ExecSettings;
let parts: ExecParts;
let tools: { exec: Tool; process: Tool };
let later: string[];
/** What the wall was asked to start, and which programs it was told have ended. */
let calls: Array<{ call: ProgramCall; enclosure: Enclosure; name: string }>;
let ended: string[];

beforeEach(async () => {
  stage = await stagePrograms();
  workdir = join(stage.root, "work");
  await mkdir(join(workdir, "sub"), { recursive: true });
  choice = unwalled;
  choices = [];
  settings = { timeoutSec: 60, safeBins: ["ls", "cat"], environment: [] };
  later = [];
  calls = [];
  ended = [];
  const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", API_KEY: "secret", LANG: "C" };
  const { programs, clock } = stage;
  const wall = async () => choices.shift() ?? choice;
  parts = {
    programs,
    shells: createShells({ environment, loginShell: () => "/bin/sh", ask: async () => "" }),
    wall,
    enclosure: async () => ({ workdir, readable: [], closed: [], network: { type: "none" } }),
    workdir,
    workdirs: () => [],
    registry: createWorkdirRegistry(),
    lasts: true,
    settings: () => settings,
    environment,
    home: "/tmp",
    clock,
  };
  tools = { exec: createExecTool(parts), process: createProcessTool({ programs, clock }) };
});
afterEach(() => stage.remove());

/** With the owner's yes, as nothing runs here behind a wall unless a test says so. */
const run = (name: string, given: object, more: Partial<ToolCallContext> = {}) =>
  runUnasked(name, given, { approved: true, ...more });

function runUnasked(name: string, given: object, more: Partial<ToolCallContext> = {}): Promise<ToolResult> {
  const executor = createToolExecutor({ tools: createToolSet(Object.values(tools)), clock: stage.clock });
  const signal = new AbortController().signal;
  const call = {
    callId: "c1",
    sessionKey: "s1",
    signal,
    later: async ({ text }: { text: string }) => void later.push(text),
  };
  return executor.execute({ name, arguments: given }, { ...call, ...more });
}
const textOf = ({ content }: ToolResult): string => (content[0]?.type === "text" ? content[0].text : "");
const idOf = ({ data }: ToolResult): string => (data as { programId: string }).programId;
const polled = async (id: string, part: string) => {
  let seen = "";
  await vi.waitFor(async () => {
    seen += textOf(await run("process", { action: "poll", id }));
    expect(seen).toContain(part);
  }, waits);
};

describe("exec", () => {
  it.each(["exec", "shell.exec", "bash.exec", "bash", "shell", "run_command"])(
    "TOOL-09 TOOL-10 X9 is found by the name %s",
    async (name) => {
      expect(textOf(await run(name, { command: "echo hi" }))).toBe("hi\n[exit code 0, outside any sandbox]");
    },
  );

  it("SHELL-06 answers with exit code, output and how long it took", async () => {
    const result = await run("exec", { command: "echo out; echo err >&2; exit 3" });
    expect(textOf(result)).toBe("out\nerr\n[exit code 3, outside any sandbox]");
    expect(result.data).toMatchObject({
      exitCode: 3,
      output: "out\nerr\n",
      durationMs: 0,
      programId: expect.stringMatching(/^p_/),
    });
    expect(result.ok).toBe(true);
  });

  it("says so when nothing was said, and when much was", async () => {
    expect(textOf(await run("exec", { command: "true" }))).toBe(
      "(no output)\n[exit code 0, outside any sandbox]",
    );
    const much = textOf(await run("exec", { command: "head -c 300000 /dev/zero | tr '\\0' x" }));
    expect(much).toMatch(
      /^\[… 100000 bytes before this were left out\]\nx+\n\[exit code 0, outside any sandbox\]$/,
    );
  });

  it("stores the last 20,000 characters for people, and keeps the rest to be looked at", async () => {
    const result = await run("exec", { command: "seq 1 30000" });
    const { output, outputCut } = result.data as { output: string; outputCut?: true };
    expect(output.length).toBeLessThanOrEqual(20_000);
    expect(output).toMatch(/^\d+\n[^]*\n29999\n30000\n$/);
    expect(outputCut).toBe(true);
    const log = textOf(await run("process", { action: "log", id: idOf(result) }));
    expect(log).toContain("1\n2\n3\n");
    const little = (await run("exec", { command: "echo hi" })).data;
    expect(little).not.toHaveProperty("outputCut");
  });

  it("stores as much of one that it leaves to the background", async () => {
    const running = run("exec", { command: "seq 1 30000; echo begun; read x", yieldMs: 5000 });
    await vi.waitFor(async () => expect(await said()).toContain("begun"), waits);
    await stage.clock.advance(5000);
    const { output, outputCut } = (await running).data as { output: string; outputCut?: true };
    expect(output.length).toBeLessThanOrEqual(20_000);
    expect(output).toContain("begun");
    expect(outputCut).toBe(true);
  });

  it("starts in the workdir, or in a directory of it", async () => {
    expect(textOf(await run("exec", { command: "pwd" }))).toContain(`${workdir}\n`);
    expect(textOf(await run("exec", { command: "pwd", cwd: "sub" }))).toContain(`${workdir}/sub\n`);
    expect(textOf(await run("exec", { command: "pwd", workdir: "sub" }))).toContain(`${workdir}/sub\n`);
    expect(textOf(await run("exec", { command: "pwd", cwd: `${workdir}/sub` }))).toContain(
      `${workdir}/sub\n`,
    );
  });

  it.each(["..", "/", "/etc", "sub/../..", "out", "loop", "nothing", "file"])(
    "SAFE-06 starts nothing from %s",
    async (cwd) => {
      await symlink("/etc", join(workdir, "out"));
      await symlink("loop", join(workdir, "loop"));
      await writeFile(join(workdir, "file"), "");
      expect((await run("exec", { command: "pwd", cwd })).error?.code).toBe("invalid_args");
    },
  );

  it.each(["sub", "sub/deep"])(
    "SAFE-06 starts nothing from %s when it became another one meanwhile",
    async (cwd) => {
      await mkdir(join(workdir, "sub/deep"));
      await mkdir(join(stage.root, "elsewhere/deep"), { recursive: true });
      parts.wall = async () => {
        await rename(join(workdir, "sub"), join(workdir, "was"));
        await symlink(join(stage.root, "elsewhere"), join(workdir, "sub"));
        return unwalled;
      };
      expect((await run("exec", { command: "pwd", cwd })).error).toEqual({
        code: "invalid_args",
        message: `${cwd} is outside the workdir`,
      });
      expect(await stage.programs.list("s1")).toEqual([]);
    },
  );

  it("SAFE-06 runs what a look at the text alone would refuse", async () => {
    await writeFile(join(workdir, "build.sh"), "#!/bin/sh\necho built\n", { mode: 0o755 });
    for (const [command, output] of [
      ["echo 'https://example.com/a/../b?c=d&e'", "https://example.com/a/../b?c=d&e"],
      ["echo quiet > /dev/null; echo loud 2>/dev/null", "loud"],
      [`cat ${workdir}/build.sh | head -n 1`, "#!/bin/sh"],
      ["./build.sh", "built"],
      ["echo 'rm -rf / is only a text'", "rm -rf / is only a text"],
    ] as const)
      expect(textOf(await run("exec", { command }))).toBe(`${output}\n[exit code 0, outside any sandbox]`);
  });

  it("refuses what no shell could read, and says why", async () => {
    const { error } = await run("exec", { command: "echo 'abc" });
    expect(error).toEqual({
      code: "invalid_args",
      message: expect.stringMatching(/cannot be read: .*quote/),
    });
    expect((await run("exec", { command: "" })).error?.code).toBe("invalid_args");
  });

  it("gives programs nothing of Pincer's own environment", async () => {
    const text = textOf(await run("exec", { command: "env" }));
    expect(text).not.toContain("secret");
    expect(text).toContain("HOME=/tmp\n");
    expect(text).toContain("LANG=C\n");
    settings = { ...settings, environment: ["API_KEY"] };
    expect(textOf(await run("exec", { command: "env" }))).toContain("API_KEY=secret");
  });

  it("X11 SHELL-06 ends a program after its time, with what it said and that it timed out", async () => {
    const running = run("exec", { command: "echo partial; exec sleep 1000" });
    await vi.waitFor(async () => expect(await said()).toContain("partial"), waits);
    await stage.clock.advance(60_000);
    const result = await running;
    expect(textOf(result)).toBe("partial\n[timed out after 60 s, outside any sandbox]");
    expect(result.data).toMatchObject({ exitCode: 124, output: "partial\n", timedOut: true });
  });

  it("X11 leaves a program to the background after yieldMs, and does not end it", async () => {
    const running = run("exec", { command: "echo begun; read x; echo done; exit 5", yieldMs: 5000 });
    await vi.waitFor(async () => expect(await said()).toContain("begun"), waits);
    await stage.clock.advance(5000);
    const result = await running;
    expect(result).toMatchObject({ ok: true, async: true });
    expect(textOf(result)).toMatch(/^begun\n\[running in the background as p_\w+; /);
    await stage.clock.advance(3_600_000);
    await run("process", { action: "write", id: idOf(result), text: "\n" });
    await vi.waitFor(() => expect(later).toHaveLength(1), waits);
    expect(later[0]).toMatch(
      /p_\w+ \(echo-begun-read-x\) has ended \[exit code 5, outside any sandbox\]\. Its last lines:\n[^]*done/,
    );
  });

  it("answers as usual when it ends before yieldMs", async () => {
    expect(textOf(await run("exec", { command: "echo quick", yieldMs: 5000 }))).toBe(
      "quick\n[exit code 0, outside any sandbox]",
    );
    expect(stage.clock.sleeping()).toBe(0);
  });

  it("SHELL-06 goes to the background at once, and tells of its end once", async () => {
    const result = await run("exec", { command: "read x; echo done", background: true });
    expect(result).toMatchObject({ async: true, data: { programId: expect.any(String) } });
    expect(later).toEqual([]);
    await run("process", { action: "send_key", id: idOf(result), key: "enter" });
    await vi.waitFor(() => expect(later).toHaveLength(1), waits);
    expect(later[0]).toContain("exit code 0");
  });

  it("is ended with the turn that waits for it, but not in the background", async () => {
    const turn = new AbortController();
    const running = run("exec", { command: "echo begun; exec sleep 1000" }, { signal: turn.signal });
    const left = await run("exec", { command: "read x", background: true }, { signal: turn.signal });
    await vi.waitFor(async () => expect(await said("echo-begun-exec-sleep")).toContain("begun"), waits);
    turn.abort(new Error("stopped"));
    expect((await running).error?.message).toBe("stopped");
    const records = await stage.programs.list("s1");
    expect(records.map(({ state }) => state).sort()).toEqual(["backgrounded", "exited"]);
    expect((await run("process", { action: "kill", id: idOf(left) })).ok).toBe(true);
  });

  it("tries the next shell when one cannot be started", async () => {
    settings = { ...settings, shell: "/nowhere/bash" };
    expect(textOf(await run("exec", { command: "echo $0" }))).toContain("[exit code 0, outside any sandbox]");
  });

  it("SHELL-01 runs a line of a person's by /bin/sh for 30 seconds, whatever it says", async () => {
    const byHand = "line" as const;
    expect(textOf(await run("exec", { command: "echo $0" }, { byHand }))).toContain("/bin/sh");
    expect((await run("exec", { command: "echo 'abc" }, { byHand })).data).toMatchObject({ exitCode: 2 });
    const running = run("exec", { command: "echo partial; exec sleep 1000" }, { byHand });
    await vi.waitFor(async () => expect(await said("echo-partial-exec-sleep")).toContain("partial"), waits);
    await stage.clock.advance(30_000);
    expect((await running).data).toMatchObject({ exitCode: 124, timedOut: true });
  });

  it("SHELL-01 gives a line of a person's nothing to read, so that it never waits for it", async () => {
    const result = await run("exec", { command: "read x; echo \"got '$x' $?\"; cat" }, { byHand: "line" });
    expect(textOf(result)).toBe("got '' 1\n[exit code 0, outside any sandbox]");
  });

  it("may change anything, is seen outside, and is never repeated by itself", () => {
    expect(tools.exec).toMatchObject({ effect: "act", idempotent: false });
    expect(tools.exec.changes?.({ command: "ls" })).toBe("anything");
  });

  it("costs a model few tokens", () => {
    const cost = ({ name, description, input }: Tool) =>
      estimateTokens(JSON.stringify({ name, description, input }));
    expect(cost(tools.exec)).toBeLessThanOrEqual(130);
    expect(cost(tools.process)).toBeLessThanOrEqual(105);
  });
});

const wall: Wall = {
  kind: "bubblewrap",
  description: "a wall",
  gaps: [],
  enclose(call, enclosure, name) {
    calls.push({ call, enclosure, name });
    return {
      file: "/usr/bin/env",
      args: ["-i", "WALLED=yes", call.file, ...call.args],
      cwd: "/",
      environment: { PATH: "/usr/bin:/bin" },
    };
  },
  end: async (name) => void ended.push(name),
};
const walled: WallChoice = { type: "walled", profile: "local", wall };

describe("exec behind a wall", () => {
  it("SAFE-04 runs in it, and nobody is asked", async () => {
    choice = walled;
    expect(await tools.exec.needsApproval?.({ command: "rm -rf /" }, {})).toBeUndefined();
    const result = await runUnasked("exec", { command: "echo walled $WALLED", cwd: "sub" });
    expect(textOf(result)).toBe("walled yes\n[exit code 0]");
    expect(calls).toMatchObject([
      {
        call: { file: "/bin/sh", args: ["-c", "echo walled $WALLED"], cwd: join(workdir, "sub") },
        enclosure: { workdir },
        name: idOf(result),
      },
    ]);
    expect(ended).toEqual([idOf(result)]);
    expect(await stage.programs.list("s1")).toMatchObject([
      { cwd: join(workdir, "sub"), wall: "bubblewrap" },
    ]);
  });

  it("SAFE-04 does not start without it when it has gone since nobody was asked", async () => {
    choice = walled;
    expect(await tools.exec.needsApproval?.({ command: "touch here" }, {})).toBeUndefined();
    choice = unwalled;
    const { error } = await runUnasked("exec", { command: "touch here" });
    expect(error).toEqual({
      code: "execution_error",
      message: expect.stringMatching(
        /^exec may not run without the owner's approval: it would run outside any sandbox; tools.exec.sandbox is none; it runs touch/,
      ),
    });
    expect(await readdir(workdir)).toEqual(["sub"]);
    expect(await stage.programs.list("s1")).toEqual([]);
    expect(textOf(await runUnasked("exec", { command: "ls" }))).toContain("sub");
    expect((await run("exec", { command: "touch here" })).ok).toBe(true);
    expect(await readdir(workdir)).toContain("here");
  });

  it("SAFE-04 starts behind the very wall that it decided by", async () => {
    choices = [walled, unwalled];
    const command = "echo walled $WALLED";
    expect(textOf(await runUnasked("exec", { command }))).toContain("walled yes");
    choices = [unwalled, walled];
    expect((await runUnasked("exec", { command })).error?.message).toContain("outside any sandbox");
  });

  it("takes the one shell that every machine has where that is another machine", async () => {
    settings = { ...settings, shell: "/bin/bash" };
    choice = { type: "walled", profile: "container", wall: { ...wall, kind: "container" } };
    await run("exec", { command: "true" });
    expect(calls.at(-1)?.call.file).toBe("/bin/sh");
  });
});

describe("what is approved behind a wall", () => {
  it("SAFE-01 starts by the wall, and not by another", async () => {
    choice = walled;
    const exact = (await tools.exec.describe?.({ command: "echo walled $WALLED" }, {}))?.exact ?? "";
    expect(textOf(await run("exec", { command: "echo walled $WALLED" }, { exact }))).toContain("walled yes");
    choice = { ...walled, wall: { ...wall, description: "another image" } };
    expect((await run("exec", { command: "echo walled $WALLED" }, { exact })).error?.message).toContain(
      "what it runs behind has changed",
    );
    choice = unwalled;
    expect((await run("exec", { command: "echo walled $WALLED" }, { exact })).error?.message).toContain(
      "what it runs behind has changed",
    );
  });

  it("SAFE-01 tells the wall which directory it looked at", async () => {
    choice = walled;
    await runUnasked("exec", { command: "true", cwd: "sub" });
    const { dev, ino } = await stat(join(workdir, "sub"));
    expect(calls.at(-1)?.call.directoryId).toBe(`${dev}:${ino}`);
  });
});

describe("files that steer the assistant", () => {
  const there = ["AGENTS.md"];
  let looks: string[][];
  let shown: string[];
  let ends: number;
  let isPartial: boolean;
  beforeEach(() => {
    isPartial = false;
    looks = [];
    shown = [];
    ends = 0;
    parts.watch = async (byWall) => {
      shown.push(byWall);
      const inspect = async () => looks.shift() ?? [];
      return { there, inspect, isPartial: () => isPartial, end: () => void ends++ };
    };
  });

  it("SAFE-04 are shown read-only by the wall, but for what was approved", async () => {
    choice = walled;
    await runUnasked("exec", { command: "true" });
    expect(calls.at(-1)?.enclosure.readOnly).toEqual(there);
    await run("exec", { command: "true" });
    expect(calls.at(-1)?.enclosure.readOnly).toEqual([]);
    choice = { type: "walled", profile: "local", wall: { ...wall, kind: "landlock" } };
    await runUnasked("exec", { command: "true" });
    expect({ shown, ends }).toEqual({ shown: ["read-only", "writable"], ends: 2 });
  });

  it("SAFE-04 are put back when a program ends, and the result says so", async () => {
    choice = walled;
    looks = [["AGENTS.md"]];
    const result = await runUnasked("exec", { command: "true" });
    expect(textOf(result)).toContain(
      "[exit code 0]\n[AGENTS.md was put back: it steers the assistant, so no program may change it.",
    );
    expect(result.data).toMatchObject({ putBack: ["AGENTS.md"] });
  });

  it("SAFE-04 are put back whenever somebody looks, and when one in the background ends", async () => {
    choice = walled;
    looks = [["SOUL.md"], ["skills"]];
    const id = idOf(await runUnasked("exec", { command: "read x", background: true }));
    expect(textOf(await runUnasked("process", { action: "poll", id }))).toContain("SOUL.md was put back");
    await runUnasked("process", { action: "write", id, text: "\n" });
    await vi.waitFor(() => expect(later[0]).toMatch(/SOUL\.md was put back[^]*skills was put back/), waits);
    expect(ends).toBe(1);
  });

  it("says so where it is not known what was changed", async () => {
    choice = walled;
    const inspect = () => Promise.reject(new Error("disk"));
    parts.watch = async () => ({ there, inspect, isPartial: () => false, end: () => {} });
    expect(textOf(await runUnasked("exec", { command: "true" }))).toContain(
      "[whether it changed files that steer the assistant is not known]",
    );
  });

  it("SAFE-04 says what was put back, where it is kept, and that there may be more", async () => {
    choice = walled;
    isPartial = true;
    looks = [["skills/evil.md"]];
    const text = textOf(await runUnasked("exec", { command: "true" }));
    expect(text).toContain("kept as skills.unreviewed/evil.md;");
    expect(text).toContain("[whether it changed files that steer the assistant is not known]");
  });
});

const types = [{ code: "types", values: {} }];

describe("exec without a wall", () => {
  const asks = (command: string, cwd?: string) =>
    tools.exec.needsApproval?.({ command, ...(cwd !== undefined && { cwd }) }, {});

  it("SAFE-01 asks the owner, and says what would run", async () => {
    expect(await asks("make > out && sh x")).toEqual([
      { code: "unwalled", values: {} },
      { code: "sandbox-off", values: { source: "tools.exec.sandbox" } },
      { code: "runs", values: { programs: "make, sh" } },
      { code: "writes", values: { paths: "out" } },
      { code: "unseen", values: {} },
    ]);
  });

  it("SAFE-01 does not ask where every program is called safe", async () => {
    expect(await asks("ls | cat")).toBeUndefined();
    expect(await asks("ls ..", "sub")).toBeUndefined();
    for (const command of ["ls; rm x", "ls $(rm x)", "cat /etc/passwd", "ls ..", "PATH=. ls", "ls '"])
      expect(await asks(command)).toContainEqual({ code: "unwalled", values: {} });
  });

  it.each([
    ["went away", async () => {}],
    ["is a file now", async (path: string) => writeFile(path, "")],
  ])("says that the workdir is gone where it %s since the turn began", async (_, become) => {
    await rm(workdir, { recursive: true });
    await become(workdir);
    const gone = `the workdir ${workdir} is gone`;
    await expect(asks("ls")).rejects.toThrow(gone);
    expect((await run("exec", { command: "ls" })).error?.message).toContain(gone);
    await rm(workdir, { force: true });
    await mkdir(workdir);
  });

  it("does not run at all from outside the workdir", async () => {
    await expect(asks("ls", "..")).rejects.toThrow("outside the workdir");
  });

  it("asks before anything is typed into a program", async () => {
    for (const action of ["write", "send_key"])
      expect(await tools.process.needsApproval?.({ action, id: "x" }, {})).toEqual(types);
    for (const action of ["list", "poll", "log", "kill"])
      expect(await tools.process.needsApproval?.({ action, id: "x" }, {})).toBeUndefined();
  });
});

describe("typing into a program", () => {
  const place: ToolVisibility = {
    chatType: "main",
    userRoles: ["owner"],
    sessionKey: "s1",
    agentId: "main",
  };
  const typing = [
    { action: "write", text: "x\n" },
    { action: "send_key", key: "enter" },
  ];

  it("asks when that one was started without a wall, whatever stands now", async () => {
    const id = idOf(await run("exec", { command: "read x; read y; read z", background: true }));
    choice = walled;
    for (const given of typing) {
      expect(await tools.process.needsApproval?.({ ...given, id }, { place })).toEqual(types);
      expect((await runUnasked("process", { ...given, id })).error).toEqual({
        code: "execution_error",
        message: expect.stringMatching(/^process may not run without the owner's approval: it types/),
      });
      expect((await run("process", { ...given, id })).ok).toBe(true);
    }
    expect((await runUnasked("process", { action: "kill", id })).ok).toBe(true);
  });

  it("SAFE-01 types what was approved, and into the very program", async () => {
    const first = idOf(await run("exec", { command: "read x", background: true }));
    const given = { action: "write", id: "read-x", text: "y\u202e\n" };
    const described = await tools.process.describe?.(given, { place });
    expect(described?.shown).toBe(`write y⟨U+202E⟩\n into ${first} (read x)`);
    const exact = described?.exact ?? "";
    await run("process", { action: "kill", id: first });
    const second = idOf(await run("exec", { command: "read x", background: true }));
    expect((await run("process", given, { exact })).error?.message).toContain(
      "what was approved is no longer",
    );
    const again = (await tools.process.describe?.(given, { place }))?.exact ?? "";
    const other = await run("process", { ...given, text: "z\n" }, { exact: again });
    expect(other.error?.message).toContain("what was approved is no longer");
    expect((await run("process", given, { exact: again })).ok).toBe(true);
    expect(second).not.toBe(first);
  });

  it("asks nobody when that one is behind a wall, whatever stands now", async () => {
    choice = walled;
    const id = idOf(await run("exec", { command: "read x; read y; read z", background: true }));
    choice = unwalled;
    for (const given of typing) {
      expect(await tools.process.needsApproval?.({ ...given, id }, { place })).toBeUndefined();
      expect((await runUnasked("process", { ...given, id })).ok).toBe(true);
    }
  });

  it("asks nobody about one that does not run, and does nothing", async () => {
    const id = idOf(await run("exec", { command: "true" }));
    for (const given of typing) {
      expect(await tools.process.needsApproval?.({ ...given, id }, { place })).toBeUndefined();
      expect((await runUnasked("process", { ...given, id })).error?.message).toContain(
        "does not run any more",
      );
    }
  });
});

describe("programs whose host has ended", () => {
  const lostLine = /^p_\w+ echo-ready-exec-sleep \[lost: Pincer ended while it ran, outside any sandbox\]/;

  it("SHELL-04 are listed as lost with what they said when it stopped in order", async () => {
    const id = idOf(await run("exec", { command: "echo ready; exec sleep 1000", background: true }));
    await vi.waitFor(async () => expect(await said()).toContain("ready"), waits);
    await stage.programs.close();
    expect(textOf(await run("process", { action: "list" }))).toMatch(lostLine);
    const next = createProcessTool({ programs: stage.again(), clock: stage.clock });
    tools = { ...tools, process: next };
    expect(textOf(await run("process", { action: "list" }))).toMatch(lostLine);
    expect(textOf(await run("process", { action: "log", id }))).toBe(
      "ready\n[lost: Pincer ended while it ran, outside any sandbox]",
    );
    expect(textOf(await run("process", { action: "list" }, { sessionKey: "s2" }))).toBe("no programs");
    expect(later).toEqual([]);
  });

  it("SHELL-04 are listed as lost with what they said when it was killed", async () => {
    const host = new URL("../sandbox/programs/testing/program-host-process.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [host, stage.directory, "echo ready; exec sleep 1000"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(textOf(await run("process", { action: "list" }))).toMatch(lostLine);
    expect(textOf(await run("process", { action: "log", id: "echo-ready-exec-sleep" }))).toBe(
      "ready\n[lost: Pincer ended while it ran, outside any sandbox]",
    );
  });
});

describe("process", () => {
  it("SHELL-07 TOOL-03 lists, polls, logs, writes, sends keys and kills", async () => {
    const id = idOf(
      await run("exec", { command: 'read a; echo one; read x; echo "two $x"; read y', background: true }),
    );
    await run("process", { action: "write", id, text: "\n" });
    await polled(id, "one");
    expect(textOf(await run("process", { action: "poll", id }))).toBe(
      `(nothing new)\n[${id} is running, outside any sandbox]`,
    );
    await run("process", { action: "write", id, text: "Ada" });
    await run("process", { action: "send_key", id, key: "enter" });
    await polled(id, "two Ada");
    expect(textOf(await run("process", { action: "log", id }))).toMatch(/one\n[^]*two Ada/);
    expect(textOf(await run("process", { action: "list" }))).toMatch(
      new RegExp(`^${id} read-a-echo-one \\[${id} is running, outside any sandbox\\]`),
    );
    const killed = await run("process", { action: "abort", id });
    expect(killed.data).toMatchObject({ state: "exited", exitCode: 143 });
    expect((await run("process", { action: "write", id, text: "x" })).error?.message).toContain(
      "does not run any more",
    );
    expect(textOf(await run("process", { action: "poll", id }))).toContain(
      "[ended by SIGTERM, outside any sandbox]",
    );
  });

  it("SHELL-07 tells by poll only what is new, also after the end, and the end once more without it", async () => {
    const id = idOf(await run("exec", { command: "read a; echo one; read x; echo two", background: true }));
    await run("process", { action: "write", id, text: "\n" });
    await polled(id, "one");
    await run("process", { action: "write", id, text: "\n" });
    await vi.waitFor(() => expect(later).toHaveLength(1), waits);
    const last = textOf(await run("process", { action: "poll", id }));
    expect(last).toContain("two\n[exit code 0");
    expect(last).not.toContain("one");
    expect(textOf(await run("process", { action: "poll", id }))).toMatch(/^\(nothing new\)\n\[exit code 0/);
    expect(textOf(await run("process", { action: "log", id }))).toContain("one");
    const whole = idOf(await run("exec", { command: "echo whole" }));
    expect(textOf(await run("process", { action: "poll", id: whole }))).toContain("(nothing new)");
  });

  it("SHELL-07 tells all of one whose host is gone, once", async () => {
    const id = idOf(await run("exec", { command: "echo ready; exec sleep 1000", background: true }));
    await vi.waitFor(async () => expect(await said()).toContain("ready"), waits);
    await stage.programs.close();
    tools = { ...tools, process: createProcessTool({ programs: stage.again(), clock: stage.clock }) };
    expect(textOf(await run("process", { action: "poll", id }))).toContain("ready\n[lost");
    expect(textOf(await run("process", { action: "poll", id }))).toContain("(nothing new)\n[lost");
  });

  it("waits for an end, but not for ever", async () => {
    const id = idOf(await run("exec", { command: "read x; echo done", background: true }));
    const first = run("process", { action: "poll", id, waitSec: 10 });
    await vi.waitFor(() => expect(stage.clock.sleeping()).toBe(1), waits);
    await stage.clock.advance(10_000);
    expect(textOf(await first)).toContain("is running");
    const second = run("process", { action: "poll", id, waitSec: 300 });
    await vi.waitFor(() => expect(stage.clock.sleeping()).toBe(1), waits);
    await run("process", { action: "write", id, text: "\n" });
    expect(textOf(await second)).toContain("done\n[exit code 0, outside any sandbox]");
  });

  it("knows no program of another session", async () => {
    const id = idOf(await run("exec", { command: "read x", background: true }));
    const other = { sessionKey: "s2" };
    expect(textOf(await run("process", { action: "list" }, other))).toBe("no programs");
    for (const action of ["poll", "log", "kill", "write", "send_key"])
      expect((await run("process", { action, id, text: "x", key: "enter" }, other)).error).toEqual({
        code: "execution_error",
        message: `this session has no program ${id}; list tells which there are`,
      });
  });

  it("says what is missing, and which keys there are", async () => {
    expect((await run("process", { action: "poll" })).error).toEqual({
      code: "invalid_args",
      message: "process: id is missing",
    });
    const id = idOf(await run("exec", { command: "read x", background: true }));
    expect((await run("process", { action: "write", id })).error?.code).toBe("invalid_args");
    expect((await run("process", { action: "send_key", id, key: "any" })).error?.message).toContain(
      "page-up",
    );
    expect((await run("process", { action: "dance", id })).error?.code).toBe("invalid_args");
  });

  it("changes anything by typing, and nothing by looking", () => {
    expect(tools.process.changes?.({ action: "write" })).toBe("anything");
    expect(tools.process.changes?.({ action: "poll" })).toEqual([]);
  });
});

/** What the newest program, or the one with this slug, has said so far. */
async function said(slug?: string): Promise<string> {
  const records = await stage.programs.list("s1");
  const record = slug === undefined ? records[0] : records.find((each) => each.slug === slug);
  return record ? ((await (await stage.programs.find("s1", record.id))?.output())?.text ?? "") : "";
}
