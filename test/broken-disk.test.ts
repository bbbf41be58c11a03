/** What its owner sees when the disk is full or the database is damaged. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "./free-port.ts";
import {
  linesOf,
  makeHome,
  pincerBin,
  startGateway,
  type RunningGateway,
  type TestHome,
} from "./run-pincer.ts";

/** A small disk of its own, in a namespace that ends with the gateway: nothing stays mounted. */
const namespace = ["--user", "--map-root-user", "--mount"];
const canMount =
  process.platform === "linux" &&
  spawnSync("unshare", [...namespace, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

const configOf = (outside: string, port: number) =>
  JSON.stringify({
    gateway: { port },
    owners: ["local:ada"],
    queue: { debounceMs: 0 },
    channels: {
      local: { inbox: join(outside, "in.jsonl"), outbox: join(outside, "out.jsonl"), dmPolicy: "open" },
    },
  });

const ready = async (port: number) => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { code: answer.status, reasons: ((await answer.json()) as { reasons: string[] }).reasons };
};

describe("a full disk", () => {
  let outside: string;
  let gateway: ChildProcess | undefined;
  beforeEach(() => (outside = mkdtempSync(join(tmpdir(), "pincer-small-disk-"))));
  afterEach(() => {
    gateway?.kill("SIGKILL");
    rmSync(outside, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  const say = (text: string) =>
    appendFileSync(
      join(outside, "in.jsonl"),
      `${JSON.stringify({ text: `tool:tools_echo {"text":"${text}"}`, from: "ada" })}\n`,
    );
  const replies = () => linesOf(join(outside, "out.jsonl")).map(({ text }) => String(text));
  /** In the namespace of the gateway, where the disk is. */
  const inside = (command: string) => {
    const ran = spawnSync(
      "nsenter",
      ["--target", String(gateway?.pid), "--user", "--mount", "--preserve-credentials", "sh", "-c", command],
      { encoding: "utf8", env: { ...process.env, PINCER_HOME: "/mnt" } },
    );
    return `${ran.stdout}${ran.stderr}`;
  };

  it.skipIf(!canMount)(
    "OBS-01 it is not ready while nothing can be stored, says so everywhere, and takes up what waited",
    async () => {
      const port = await freePort();
      writeFileSync(join(outside, "config.json5"), configOf(outside, port));
      const start = `mount -t tmpfs -o size=24m none /mnt && cp ${outside}/config.json5 /mnt/ && exec ${process.execPath} ${pincerBin} gateway run`;
      gateway = spawn("unshare", [...namespace, "sh", "-c", start], {
        env: { PATH: process.env["PATH"], HOME: outside, PINCER_HOME: "/mnt", LANG: "en" },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      gateway.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
      await expect.poll(() => said).toContain("is running (pid");
      say("first");
      await expect.poll(replies).toEqual([expect.stringContaining("first")]);
      expect(await ready(port)).toEqual({ code: 200, reasons: [] });

      inside("head -c 24M /dev/zero > /mnt/ballast 2>/dev/null; true");
      say("second");
      await expect.poll(() => ready(port)).toEqual({ code: 503, reasons: ["database"] });
      // The channel has tried, too.
      const notTaken = expect.stringContaining("I cannot store messages right now");
      await expect.poll(replies).toEqual([expect.stringContaining("first"), notTaken]);
      const health = inside(`${process.execPath} ${pincerBin} health`);
      expect(health).toMatch(/database.*accepts no writes.*full/is);
      expect(health).toMatch(/local.*cannot be stored/is);

      inside("rm /mnt/ballast");
      await expect.poll(replies).toEqual([expect.anything(), notTaken, expect.stringContaining("second")]);
      await expect.poll(() => ready(port)).toEqual({ code: 200, reasons: [] });
      await expect
        .poll(() => inside(`${process.execPath} ${pincerBin} status`), { interval: 1000 })
        .toMatch(/nothing could be stored/i);
    },
  );
});

describe("a damaged database", () => {
  let home: TestHome;
  let gateway: RunningGateway | undefined;
  beforeEach(() => (home = makeHome()));
  afterEach(async () => {
    await gateway?.kill();
    gateway = undefined;
    home.remove();
  });

  it("OBS-01 is noticed by the gateway itself, which is red and says what to do", async () => {
    const port = await freePort();
    writeFileSync(join(home.path, "config.json5"), configOf(home.path, port), { mode: 0o600 });
    for (const text of ["one", "two", "three"]) await home.run(["ask", `${text} ${"x".repeat(3000)}`]);
    const file = join(home.path, "core.db");
    const at = readFileSync(file).lastIndexOf("xxxxxxxx");
    expect(at).toBeGreaterThan(0);
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, Buffer.alloc(4096, 0x5a), 0, 4096, Math.floor(at / 4096) * 4096);
    closeSync(descriptor);
    gateway = await startGateway(home, [], { PINCER_PORT: String(port) });
    await expect.poll(() => ready(port)).toEqual({ code: 503, reasons: ["database"] });
    const health = await home.run(["health"]);
    expect(health.out + health.err).toMatch(/database is damaged.*doctor --repair/is);
    await expect.poll(async () => (await home.run(["status"])).out, { interval: 1000 }).toMatch(/damaged/);
  });
});
