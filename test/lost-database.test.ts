/** A home whose database is gone: what limited it comes back, and nothing happens until its owner has looked. */
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "./free-port.ts";
import { makeHome, startGateway, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

const file = (name: string) => join(home.path, name);
const echo = async () => {
  const { out } = await home.run(["ask", 'tool:tools_echo {"text":"it runs"}', "--json"]);
  return JSON.parse(out) as { result: string; toolError?: { code: string } };
};

const losses: Array<[string, () => void]> = [
  [
    "deleted",
    () => ["core.db", "core.db-wal", "core.db-shm"].forEach((name) => rmSync(file(name), { force: true })),
  ],
  [
    "truncated",
    () => {
      truncateSync(file("core.db"));
      for (const name of ["core.db-wal", "core.db-shm"]) rmSync(file(name), { force: true });
    },
  ],
];

describe("a lost database", () => {
  it.each(["truncated", "log"])(
    "%s: who only looks changes nothing about that: the doctor says it, and tools stay off",
    async (how) => {
      await home.run(["rules", "add", "--yes", "never run commands"]);
      const gateway = await startGateway(home, [], { PINCER_PORT: String(await freePort()) });
      expect((await echo()).toolError).toBeUndefined();
      await gateway.kill();
      if (how === "truncated") truncateSync(file("core.db"));
      for (const name of ["core.db-wal", "core.db-shm"]) rmSync(file(name), { force: true });
      const doctor = await home.run(["doctor"]);
      expect(doctor.out).toMatch(how === "log" ? /log of the database was lost/ : /database is missing/);
      expect(doctor.status).toBe(1);
      expect((await echo()).toolError).toBeDefined();
      expect((await home.run(["rules", "list"])).out).toContain("never run commands");
      await home.run(["doctor", "--confirm", "--yes"]);
      expect((await echo()).toolError).toBeUndefined();
    },
  );

  it.each(losses)("%s: a tool that is called without a gateway is refused, too", async (_how, lose) => {
    await home.run(["rules", "add", "--yes", "never run commands"]);
    lose();
    rmSync(file("policy-copy.jsonl"), { force: true });
    const { out, err } = await home.run(["tools", "invoke", "tools_echo", "--args", '{"text":"it runs"}']);
    expect(out).not.toContain("it runs");
    expect(`${out}${err}`).toContain("doctor --confirm");
  });

  it.each(losses)(
    "%s: rules come back, and no tool runs until the owner has confirmed it",
    async (_how, lose) => {
      await home.run(["rules", "add", "--yes", "never run commands"]);
      expect((await echo()).toolError).toBeUndefined();
      lose();
      expect((await echo()).toolError).toBeDefined();
      const doctor = await home.run(["doctor"]);
      expect(doctor.out).toMatch(/database was lost.*rules 1.*Tools are off/s);
      expect(doctor.status).toBe(1);
      expect((await home.run(["rules", "list"])).out).toContain("never run commands");
      expect((await home.run(["doctor", "--confirm", "--yes"])).err).toContain("tools are on");
      expect((await echo()).toolError).toBeUndefined();
      expect((await home.run(["rules", "list"])).out).toContain("never run commands");
    },
  );
});
