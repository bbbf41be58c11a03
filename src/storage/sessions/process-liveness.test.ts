import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createProcessLiveness, type ProcessTable } from "./process-liveness.ts";

const table = (running: Record<number, string>): ProcessTable => ({
  host: "here",
  pidNamespace: "pid:[1]",
  pid: 10,
  startOf(pid) {
    const start = running[pid];
    return start === undefined ? { type: "none" } : { type: "running", start };
  },
});

describe("process liveness", () => {
  it("SESS-11 knows a process by its pid and its start", () => {
    const liveness = createProcessLiveness(table({ 10: "boot/100", 11: "boot/200" }));
    expect(liveness.self("me")).toEqual({
      id: "me",
      pid: 10,
      host: "here",
      pidNamespace: "pid:[1]",
      processStart: "boot/100",
    });
    expect(liveness.isAlive(liveness.self("me"))).toBe(true);
    const holder = { id: "x", host: "here" };
    expect(liveness.isAlive({ ...holder, pid: 11, processStart: "boot/200" })).toBe(true);
    expect(liveness.isAlive({ ...holder, pid: 11, processStart: "boot/150" })).toBe(false);
    expect(liveness.isAlive({ ...holder, pid: 11, processStart: "other boot/200" })).toBe(false);
    expect(liveness.isAlive({ ...holder, pid: 12, processStart: "boot/200" })).toBe(false);
  });

  it("SESS-11 goes by the pid where the system does not tell starts", () => {
    const liveness = createProcessLiveness(table({ 10: "", 11: "" }));
    const holder = { id: "x", host: "here", processStart: "" };
    expect(liveness.isAlive({ ...holder, pid: 11 })).toBe(true);
    expect(liveness.isAlive({ ...holder, pid: 12 })).toBe(false);
  });

  it("SESS-11 never declares a process of another machine dead", () => {
    const liveness = createProcessLiveness(table({}));
    expect(liveness.isAlive({ id: "x", pid: 12, host: "elsewhere", processStart: "1" })).toBe(true);
  });

  it("SESS-11 never declares a process dead whose pids are counted apart, as in another container", () => {
    const liveness = createProcessLiveness(table({ 11: "boot/200" }));
    const holder = { id: "x", host: "here", processStart: "boot/100" };
    for (const pid of [11, 12]) {
      expect(liveness.isAlive({ ...holder, pid, pidNamespace: "pid:[2]" })).toBe(true);
      expect(liveness.isAlive({ ...holder, pid, pidNamespace: "pid:[1]" })).toBe(false);
      expect(liveness.isAlive({ ...holder, pid })).toBe(false);
    }
    const unsure = createProcessLiveness({ ...table({}), pidNamespace: "" });
    expect(unsure.isAlive({ ...holder, pid: 12, pidNamespace: "pid:[2]" })).toBe(false);
  });

  it.runIf(process.platform === "linux")("SESS-11 knows the namespace of its own pids", () => {
    expect(createProcessLiveness().self("me").pidNamespace).toMatch(/^pid:\[\d+\]$/);
  });

  it.runIf(process.platform === "linux")(
    "SESS-11 takes a process for dead that has ended and is not yet reaped",
    async () => {
      const liveness = createProcessLiveness();
      const child = spawn("true");
      const pid = child.pid ?? 0;
      const stateOf = () =>
        / ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, "latin1").split(")")[1] ?? "")?.[1];
      // Within one turn of the loop nobody reaps it, so it stays as it is while we look.
      const until = Date.now() + 10_000;
      while (stateOf() !== "Z" && Date.now() < until);
      expect(stateOf()).toBe("Z");
      expect(liveness.isAlive({ ...liveness.self("child"), pid, processStart: "" })).toBe(false);
      await once(child, "exit");
    },
  );

  it("SESS-11 sees real processes live and die", async () => {
    const liveness = createProcessLiveness();
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    await once(child, "spawn");
    const asHolder = { ...liveness.self("child"), pid: child.pid ?? 0, processStart: "" };
    expect(liveness.isAlive(liveness.self("me"))).toBe(true);
    expect(liveness.isAlive(asHolder)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(liveness.isAlive(asHolder)).toBe(false);
  });
});
