import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as immediately } from "node:timers/promises";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProgramStore } from "./program-store.ts";
import type { ProgramRecord, ProgramSpans, Writes } from "./program.ts";
import { shellCall, stagePrograms, type ProgramStage } from "./testing/stage-programs.ts";

// Real programs, on machines that may have much else to do.
vi.setConfig({ testTimeout: 60_000 });

let stage: ProgramStage;
beforeEach(async () => {
  stage = await stagePrograms();
});
afterEach(() => stage.remove());

/** Runs it to its end. */
async function outcomeOf(command: string) {
  const program = await stage.start(command);
  const record = await program.ended;
  return { record, ...program.output() };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const waits = { timeout: 30_000, interval: 10 };
const goneSoon = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), waits);

describe("a program on its terminal", () => {
  it("SHELL-03 has a terminal of 120 columns and 40 rows", async () => {
    const { record, text } = await outcomeOf(
      "stty size; test -t 0 && test -t 1 && echo terminal; echo $TERM",
    );
    expect(text).toBe("40 120\nterminal\nxterm-256color\n");
    expect(record).toMatchObject({ state: "exited", exitCode: 0 });
    expect(record.withoutTerminal).toBeUndefined();
  });

  it("SHELL-04 has a record with id, slug, state, pid and times", async () => {
    const program = await stage.start("echo hello there; exit 3");
    expect(program.record()).toMatchObject({
      id: expect.stringMatching(/^p_/),
      slug: "echo-hello-there-exit",
      state: "running",
      command: "echo hello there; exit 3",
      cwd: stage.root,
      sessionKey: "s1",
    });
    expect(program.record().pid).toBeGreaterThan(1);
    expect(await program.ended).toMatchObject({ state: "exited", exitCode: 3 });
  });

  it("says by which signal it ended", async () => {
    expect((await outcomeOf("kill -KILL $$")).record).toMatchObject({ state: "exited", signal: "SIGKILL" });
  });

  it("is shown without colours, and lines that were written over as they were last", async () => {
    const { text } = await outcomeOf("printf '\\033[31mred\\033[0m\\n10%%\\r55%%\\r100%%\\n'");
    expect(text).toBe("red\n100%\n");
    expect(await readFile(await outputFile(), "latin1")).toContain("\u001b[31m");
  });

  it("SHELL-05 X12 keeps the last 200 KB of 1 MB, and says how much is gone", async () => {
    const { text, dropped } = await outcomeOf("head -c 1000000 /dev/zero | tr '\\0' x; echo; echo END");
    expect(text).toHaveLength(200_000 - 2);
    expect(text.endsWith("x\nEND\n")).toBe(true);
    expect(dropped).toBe(1_000_000 + 7 - 200_000);
    expect((await stat(await outputFile())).size).toBeLessThanOrEqual(400_000);
  });

  it("is answered while it waits", async () => {
    const program = await stage.start('read name; echo "hello $name"; read more; echo "[$more]"');
    program.write("Ada\n");
    await vi.waitFor(() => expect(program.output().text).toContain("hello Ada"), waits);
    program.write("x");
    program.sendKey("backspace");
    program.write("y");
    program.sendKey("enter");
    expect(await program.ended).toMatchObject({ exitCode: 0 });
    expect(program.output().text).toContain("[y]");
    expect(() => program.write("more")).toThrow("has ended");
  });

  it("is interrupted by a key", async () => {
    const program = await stage.start("echo ready; exec sleep 1000");
    await vi.waitFor(() => expect(program.output().text).toContain("ready"), waits);
    program.sendKey("ctrl-c");
    expect(await program.ended).toMatchObject({ signal: "SIGINT" });
  });

  it("tells what is new, each time once", async () => {
    const program = await stage.start("echo one; read x; echo two");
    await vi.waitFor(() => expect(program.output().text).toContain("one"), waits);
    expect(program.poll().text).toBe("one\n");
    expect(program.poll().text).toBe("");
    program.write("\n");
    await program.ended;
    expect(program.poll().text).toBe("\ntwo\n");
  });

  it("runs on pipes where there is no terminal, and its record says so", async () => {
    const { spawnOnPipes } = await import("./terminal.ts");
    const programs = stage.again({ openTerminal: spawnOnPipes });
    const program = await programs.start({
      command: "x",
      cwd: stage.root,
      sessionKey: "s1",
      call: () => shellCall('read a; echo "got $a" >&2; test -t 0 || echo none; exit 4', stage.root),
    });
    program.write("it\n");
    expect(await program.ended).toMatchObject({ exitCode: 4, withoutTerminal: true });
    expect(program.output().text).toContain("got it");
    expect(program.output().text).toContain("none");
  });
});

describe("ending a program", () => {
  it("SHELL-06 happens when its time is up, with what it said until then", async () => {
    const program = await stage.start("echo partial; exec sleep 1000", { timeoutMs: 60_000 });
    await vi.waitFor(() => expect(program.output().text).toContain("partial"), waits);
    await stage.clock.advance(59_999);
    expect(program.record().state).toBe("running");
    await stage.clock.advance(1);
    expect(await program.ended).toMatchObject({ state: "exited", timedOut: true, signal: "SIGTERM" });
    expect(program.output().text).toBe("partial\n");
  });

  it("is forced after two seconds on one that will not listen", async () => {
    const program = await stage.start("trap '' TERM; echo ready; while :; do sleep 0.05; done");
    await vi.waitFor(() => expect(program.output().text).toContain("ready"), waits);
    const killed = program.kill();
    await stage.clock.advance(1999);
    expect(program.record().state).toBe("running");
    await stage.clock.advance(1);
    await killed;
    expect(program.record()).toMatchObject({ state: "exited", signal: "SIGKILL" });
    await program.kill();
  });

  it("works on one that has only just begun, and is nothing to one that is over", async () => {
    for (let round = 0; round < 5; round++) {
      const program = await stage.start("exec sleep 1000");
      await program.kill();
      expect(program.record()).toMatchObject({ state: "exited", signal: "SIGTERM" });
    }
    const over = await stage.start("exit 3");
    await over.ended;
    await over.kill();
    expect(over.record()).toMatchObject({ exitCode: 3 });
  });

  it("takes along what it started, in its group and out of it", async () => {
    const program = await stage.start(
      "sleep 1001 & echo pid $!; setsid sh -c 'trap \"\" HUP; (sleep 1002 & echo pid $!)'; nohup sleep 1004 & echo pid $!; echo ready; wait",
    );
    await vi.waitFor(() => expect(program.output().text).toContain("ready"), waits);
    const pids = [...program.output().text.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(3);
    const killed = program.kill();
    await stage.clock.advance(2000);
    await killed;
    for (const pid of pids) await goneSoon(pid);
  });

  it("that ends by itself leaves no daemon behind", async () => {
    // Only when it is up: before that it would go with the terminal.
    const daemon = `trap "" HUP; echo pid $$; touch up; exec sleep 100 </dev/null >/dev/null 2>&1`;
    const { text } = await outcomeOf(`setsid sh -c '${daemon}' & until test -e up; do sleep 0.05; done`);
    const pid = Number(/pid (\d+)/.exec(text)?.[1]);
    expect(pid).toBeGreaterThan(1);
    await goneSoon(pid);
  });

  it("ends the wall by the program's own name", async () => {
    const ended: string[] = [];
    const program = await stage.start("exec sleep 1000", { end: async (id) => void ended.push(id) });
    await program.kill();
    expect(ended).toEqual([program.record().id]);
  });

  it("is what closing does to all, and they are lost from then on", async () => {
    const told: ProgramRecord[] = [];
    const program = await stage.start("echo ready; exec sleep 1000");
    program.background((record) => told.push(record));
    await vi.waitFor(() => expect(program.output().text).toContain("ready"), waits);
    await stage.programs.close();
    await goneSoon(program.record().pid);
    expect(told).toEqual([]);
    await expect(stage.start("echo x")).rejects.toThrow("stopping");
    const lost = [{ id: program.record().id, state: "lost", endedAt: expect.any(String) }];
    expect(await stage.programs.list("s1")).toMatchObject(lost);
    const next = stage.again();
    expect(await next.list("s1")).toMatchObject(lost);
    expect(await (await next.find("s1", program.record().id))?.output()).toEqual({
      text: "ready\n",
      dropped: 0,
    });
    expect(await next.reapLost()).toEqual([]);
  });
});

describe("the span of a program", () => {
  /** What was noted, in order. */
  function noting() {
    const noted: string[] = [];
    const spans: ProgramSpans = {
      began: async (writes) => {
        const where = writes === "everywhere" ? writes : writes.below;
        noted.push(`began ${where}`);
        return async () => void noted.push(`ended ${where}`);
      },
      endGone: async () => void noted.push("ended what is gone"),
    };
    const programs = stage.again({ spans });
    const start = (command: string, writes?: Writes) =>
      programs.start({
        command,
        cwd: stage.root,
        sessionKey: "s1",
        call: () => {
          noted.push("started");
          return shellCall(command, stage.root);
        },
        ...(writes && { writes }),
      });
    return { noted, start, programs, spans };
  }

  it("is noted before it starts, and ends when all that it started has ended", async () => {
    const { noted, start } = noting();
    const program = await start("read x", { below: "/w" });
    program.background();
    await vi.waitFor(() => expect(program.record().state).toBe("backgrounded"), waits);
    expect(noted).toEqual(["ended what is gone", "began /w", "started"]);
    program.write("\n");
    await program.ended;
    await vi.waitFor(() => expect(noted.at(-1)).toBe("ended /w"), waits);
  });

  it("is everywhere where nobody says otherwise, and over at once where it cannot be started", async () => {
    const { noted, programs } = noting();
    const call = () => ({ ...shellCall("x", stage.root), file: "/no/such/program" });
    await expect(programs.start({ command: "x", cwd: stage.root, sessionKey: "s1", call })).rejects.toThrow(
      "could not be started",
    );
    expect(noted.slice(1)).toEqual(["began everywhere", "ended everywhere"]);
  });

  it("is none where it cannot be noted: then nothing is started", async () => {
    const { noted, start, spans } = noting();
    spans.began = async () => Promise.reject(new Error("no disk"));
    await expect(start("true")).rejects.toThrow("no disk");
    expect(noted).toEqual(["ended what is gone"]);
  });

  it("is ended before closing is over", async () => {
    const { noted, start, programs } = noting();
    await start("exec sleep 1000");
    await programs.close();
    expect(noted.at(-1)).toBe("ended everywhere");
  });
});

describe("closing", () => {
  it("waits for one that is just being started, and ends it", async () => {
    const { openTerminal } = await import("./terminal.ts");
    let open = () => {};
    const opening = new Promise<void>((resolve) => (open = resolve));
    let reach = () => {};
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const programs = stage.again({
      openTerminal: async (call, onOutput) => {
        reach();
        await opening;
        return openTerminal(call, onOutput);
      },
    });
    const command = "exec sleep 1000";
    const call = () => shellCall(command, stage.root);
    const started = programs.start({ command, cwd: "/", sessionKey: "s1", call });
    await reached;
    const closed = programs.close();
    open();
    await closed;
    const [record] = await programs.list("s1");
    expect(record).toMatchObject({ state: "lost" });
    expect(isAlive((await started).record().pid)).toBe(false);
  });
});

describe("a program in the background", () => {
  it("SHELL-06 tells of its end once", async () => {
    const told: ProgramRecord[] = [];
    const program = await stage.start("read x; exit 7");
    program.background((record) => told.push(record));
    expect(program.record().state).toBe("backgrounded");
    program.write("\n");
    await program.ended;
    await program.kill();
    expect(told).toMatchObject([{ state: "exited", exitCode: 7 }]);
  });

  it("tells at once when it was over before", async () => {
    const told: ProgramRecord[] = [];
    const program = await stage.start("exit 7");
    await program.ended;
    program.background((record) => told.push(record));
    expect(told).toMatchObject([{ state: "exited", exitCode: 7 }]);
  });
});

describe("what goes wrong at the end of a program", () => {
  const thrown: unknown[] = [];
  const note = (error: unknown) => void thrown.push(error);
  beforeEach(() => {
    thrown.length = 0;
    process.on("unhandledRejection", note);
  });
  afterEach(() => void process.off("unhandledRejection", note));

  const fails = () => {
    throw new Error("failed");
  };
  const rejects = () => Promise.reject(new Error("failed"));
  /** Whatever nobody caught is told by then. */
  const settled = async () => {
    for (let round = 0; round < 5; round++) await new Promise((resolve) => void setImmediate(resolve));
  };

  it("is not that somebody who is told throws: the others are told all the same", async () => {
    const told: ProgramRecord[] = [];
    const program = await stage.start("read x; exit 7");
    program.background(fails);
    program.background(rejects);
    program.background((record) => told.push(record));
    program.write("\n");
    expect(await program.ended).toMatchObject({ state: "exited", exitCode: 7 });
    program.background(fails);
    await settled();
    expect(told).toHaveLength(1);
    expect(thrown).toEqual([]);
  });

  it.each([
    ["throws", fails],
    ["rejects", rejects],
  ])("is not that the end of its wall %s", async (_, end) => {
    const program = await stage.start("exit 7", { end });
    expect(await program.ended).toMatchObject({ state: "exited", exitCode: 7 });
    await program.kill();
    await settled();
    expect(thrown).toEqual([]);
  });

  it("is not that processes cannot be looked at, also when its time is up", async () => {
    const { systemProcesses } = await import("./process-table.ts");
    const programs = stage.again({ processes: { ...systemProcesses, endAll: rejects } });
    const call = () => shellCall("trap '' TERM; echo ready; while :; do sleep 0.05; done", stage.root);
    const program = await programs.start({
      command: "x",
      cwd: "/",
      sessionKey: "s1",
      call,
      timeoutMs: 60_000,
    });
    await vi.waitFor(() => expect(program.output().text).toContain("ready"), waits);
    await stage.clock.advance(60_000);
    await stage.clock.advance(2000);
    expect(await program.ended).toMatchObject({ timedOut: true, signal: "SIGKILL" });
    await settled();
    expect(thrown).toEqual([]);
  });

  it("is not that the disk keeps nothing any more: the program goes on, and so do others", async () => {
    const { store } = await shelfOf();
    let isBroken = false;
    const orFail = () => (isBroken ? rejects() : Promise.resolve());
    const programs = stage.again({
      store: {
        ...store,
        save: async (stored) => void (await orFail(), await store.save(stored)),
        all: async () => (await orFail(), store.all()),
        remove: async (id) => (await orFail(), store.remove(id)),
      },
    });
    const start = (command: string) =>
      programs.start({
        command,
        cwd: "/",
        sessionKey: "s1",
        call: () => shellCall(command, stage.root),
      });
    const program = await start("read x; exit 7");
    isBroken = true;
    program.write("\n");
    expect(await program.ended).toMatchObject({ state: "exited", exitCode: 7 });
    await settled();
    await expect(start("true")).rejects.toThrow("failed");
    await settled();
    expect(thrown).toEqual([]);
    isBroken = false;
    expect(await (await start("exit 3")).ended).toMatchObject({ exitCode: 3 });
  });

  it("is not that an old record cannot be removed: programs start all the same", async () => {
    const { store } = await shelfOf();
    const old = await (await stage.start("true")).ended;
    const clock = createHandClock(stage.clock.now() + 8 * 24 * 3600 * 1000);
    const programs = stage.again({ clock, store: { ...store, remove: rejects } });
    expect(await programs.reapLost()).toEqual([]);
    expect((await programs.list("s1")).map(({ id }) => id)).toEqual([old.id]);
    await settled();
    expect(thrown).toEqual([]);
  });
});

describe("a program that floods", () => {
  it("waits until somebody reads on, and its last words are read", async () => {
    const program = await stage.start("head -c 2600000 /dev/zero | tr '\\0' x; echo; echo END");
    await vi.waitFor(() => expect(stage.clock.sleeping()).toBe(1), waits);
    expect(program.record().state).toBe("running");
    expect(program.output().text).not.toContain("END");
    await vi.waitFor(async () => {
      await stage.clock.advance(50);
      expect(program.record().state).toBe("exited");
    }, waits);
    expect(program.output().text.endsWith("x\nEND\n")).toBe(true);
  });
});

describe("a secret in a command", () => {
  it("is used by the program, and kept and told by nobody", async () => {
    const secret = "hunter-0123456789";
    stage.redactor.add("password", secret);
    const command = `test ${secret} = "hunter-"0123456789 && echo same ${secret}`;
    const program = await stage.start(command);
    const record = await program.ended;
    expect(record).toMatchObject({ exitCode: 0, slug: "test-secret-password-hunter" });
    expect(program.output().text).toBe("same [secret:password]\n");
    const stored = await readFile(join(stage.directory, record.id, "record.json"), "utf8");
    expect(stored).toContain("[secret:password]");
    expect(`${stored}${await readFile(await outputFile(), "utf8")}`).not.toContain(secret);
    expect((await stage.again().list("s1"))[0]?.command).not.toContain(secret);
  });
});

describe("an end that was promised to be told", () => {
  const destination = {
    channel: "telegram",
    accountId: "bot",
    target: { peerKind: "user" as const, peerId: "7" },
  };
  const idsOf = (records: ProgramRecord[]) => records.map(({ id }) => id);

  it("is told by the next host where this one closes first, once", async () => {
    const program = await stage.start("echo ready; exec sleep 1000", { destination, turnId: "t1" });
    program.background(() => undefined);
    const unpromised = await stage.start("exec sleep 1000");
    unpromised.background();
    expect(await stage.programs.untold()).toEqual([]);
    await stage.programs.close();
    const next = stage.again();
    const { id } = program.record();
    expect(await next.untold()).toMatchObject([{ id, state: "lost", turnId: "t1", destination }]);
    await next.markTold(id);
    expect(await next.untold()).toEqual([]);
    expect(await stage.again().untold()).toEqual([]);
  });

  it("is told by the next host where the telling failed", async () => {
    const program = await stage.start("read x; exit 7");
    program.background(() => Promise.reject(new Error("nobody there")));
    program.write("\n");
    await program.ended;
    expect(await stage.again().untold()).toMatchObject([{ id: program.record().id, state: "exited" }]);
  });

  it("is not told again where it was heard, also by one that was over before", async () => {
    const program = await stage.start("read x");
    program.background(() => undefined);
    program.write("\n");
    await program.ended;
    const over = await stage.start("true");
    await over.ended;
    over.background(() => undefined);
    await vi.waitFor(async () => {
      const stored = await stage.again().list("s1");
      expect(idsOf(stored.filter(({ told }) => told))).toHaveLength(2);
    }, waits);
    expect(await stage.again().untold()).toEqual([]);
  });
});

describe("programs of a session", () => {
  it("are listed, the newest first, and found by id or slug, by nobody else", async () => {
    const first = await stage.start("echo first");
    await first.ended;
    await stage.clock.advance(1000);
    const second = await stage.start("read x");
    expect((await stage.programs.list("s1")).map(({ slug }) => slug)).toEqual(["read-x", "echo-first"]);
    expect(await stage.programs.list("s2")).toEqual([]);
    expect(await stage.programs.find("s2", first.record().id)).toBeUndefined();
    expect(await stage.programs.find("s1", "p_nothing")).toBeUndefined();
    expect((await stage.programs.find("s1", second.record().id))?.running).toBe(second);
    const found = await stage.programs.find("s1", "echo-first");
    expect(found?.running).toBeUndefined();
    expect(await found?.output()).toEqual({ text: "first\n", dropped: 0 });
  });

  it("SHELL-04 are never said to run when they ended while their records were read", async () => {
    const store = createProgramStore(stage.directory);
    let meanwhile = async () => {};
    const programs = stage.again({
      store: {
        ...store,
        async all() {
          const found = await store.all();
          await meanwhile();
          return found;
        },
      },
    });
    const program = await programs.start({
      command: "read x; echo ok",
      cwd: stage.root,
      sessionKey: "s1",
      call: () => shellCall("read x; echo ok", stage.root),
    });
    meanwhile = async () => {
      meanwhile = async () => {};
      program.write("go\n");
      await program.ended;
      await immediately();
    };
    const found = await programs.find("s1", program.record().id);
    expect(found?.running).toBeUndefined();
    expect(found?.record).toMatchObject({ state: "exited", exitCode: 0 });
    expect(await found?.poll()).toMatchObject({ text: expect.stringContaining("ok") });
    await programs.close();
  });

  it("are no more at once than may be", async () => {
    const programs = stage.again({ maxProcesses: () => 1 });
    const start = (command: string) =>
      programs.start({
        command,
        cwd: stage.root,
        sessionKey: "s1",
        call: () => shellCall(command, stage.root),
      });
    const [first, second] = await Promise.allSettled([start("read x"), start("read y")]);
    expect(second).toMatchObject({ status: "rejected", reason: { code: "tool/limit" } });
    expect(first.status).toBe("fulfilled");
    await programs.close();
  });

  it("that cannot be started leave nothing behind", async () => {
    const call = () => ({ ...shellCall("x", stage.root), file: "/nowhere/sh" });
    await expect(stage.start("x", { call })).rejects.toThrow("could not be started");
    expect(await stage.programs.list("s1")).toEqual([]);
    expect(await readdir(stage.directory)).toEqual([]);
  });

  it("are forgotten after 50 others, and after seven days", async () => {
    const program = await stage.start("true");
    const record = await program.ended;
    const template = JSON.parse(await readFile(join(stage.directory, record.id, "record.json"), "utf8"));
    const { store } = await shelfOf();
    for (let index = 0; index < 60; index++) {
      const id = `p_9${String(index).padStart(3, "0")}`;
      await store.prepare(id);
      await store.save({ ...template, record: { ...record, id } });
    }
    await stage.programs.reapLost();
    expect(await stage.programs.list("s1")).toHaveLength(50);
    await stage.clock.advance(7 * 24 * 3600 * 1000 + 60_000);
    await stage.programs.reapLost();
    expect(await stage.programs.list("s1")).toEqual([]);
  });

  it("are not disturbed by what else lies there", async () => {
    await (
      await stage.start("true")
    ).ended;
    await writeFile(join(stage.directory, "p_1"), "no directory");
    await writeFile(join(stage.directory, "notes.txt"), "x");
    const { store } = await shelfOf();
    await store.prepare("p_2");
    await writeFile(join(stage.directory, "p_2", "record.json"), '{"record":');
    expect(await stage.programs.list("s1")).toHaveLength(1);
  });
});

describe("after a kill -9 of the process that had them", () => {
  const host = new URL("testing/program-host-process.ts", import.meta.url).pathname;

  const hosts: ChildProcess[] = [];
  afterEach(() => {
    for (const child of hosts.splice(0)) child.kill("SIGKILL");
  });

  async function hosted(command: string) {
    const child = spawn(process.execPath, [host, stage.directory, command], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    hosts.push(child);
    await once(child.stdout, "data");
    return child;
  }

  it("programs are lost, with their last output, and whatever they left is ended", async () => {
    const child = await hosted(
      "setsid sh -c 'trap \"\" HUP; exec sleep 1006' & echo pid $!; echo ready; exec sleep 1007",
    );
    expect(await stage.programs.reapLost()).toEqual([]);
    await vi.waitFor(
      async () => expect(await stage.programs.list("s1")).toMatchObject([{ state: "backgrounded" }]),
      waits,
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    const ended: string[] = [];
    const next = stage.again({
      endOf: async ({ id }) => {
        ended.push(id);
        throw new Error("no such container");
      },
    });
    const [lost] = await next.reapLost();
    expect(ended).toEqual([lost?.id]);
    expect(await next.untold()).toMatchObject([{ id: lost?.id, state: "lost" }]);
    expect(lost).toMatchObject({ state: "lost", endedAt: expect.any(String) });
    const found = await stage.programs.find("s1", lost?.id ?? "");
    const text = (await found?.output())?.text ?? "";
    expect(text).toContain("ready");
    expect(found?.running).toBeUndefined();
    await goneSoon(Number(/pid (\d+)/.exec(text)?.[1]));
    await goneSoon(lost?.pid ?? 0);
  });

  it("nobody is ended who only has the pid of one", async () => {
    const other = spawn("sleep", ["1008"], { stdio: "ignore" });
    const program = await stage.start("true");
    const record = await program.ended;
    const stored = JSON.parse(await readFile(join(stage.directory, record.id, "record.json"), "utf8"));
    const { store } = await shelfOf();
    await store.save({
      ...stored,
      host: { pid: other.pid, start: "another" },
      record: { ...record, state: "running", pid: other.pid ?? 0 },
    });
    expect(await stage.programs.reapLost()).toMatchObject([{ state: "lost" }]);
    expect(isAlive(other.pid ?? 0)).toBe(true);
    other.kill("SIGKILL");
  });
});

async function outputFile(): Promise<string> {
  const [id = ""] = await readdir(stage.directory);
  return join(stage.directory, id, "output");
}

async function shelfOf() {
  const { createProgramStore } = await import("./program-store.ts");
  return { store: createProgramStore(stage.directory) };
}
