import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createProcessLiveness, type ProcessTable } from "./process-liveness.ts";

const table = (running: Record<number, string>): ProcessTable => ({
  host: "here",
  pid: 10,
  startOf(pid) {
    const start = running[pid];
    return start === undefined ? { type: "none" } : { type: "running", start };
  },
});

describe("process liveness", () => {
  it("SESS-11 knows a process by its pid and its start", () => {
    const liveness = createProcessLiveness(table({ 10: "boot/100", 11: "boot/200" }));
    expect(liveness.self("me")).toEqual({ id: "me", pid: 10, host: "here", processStart: "boot/100" });
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
