import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { systemClock } from "../src/infra/clock.ts";
import { createIds } from "../src/infra/ids.ts";
import { openSqliteStores } from "../src/storage/open-sqlite-stores.ts";
import { createProcessLiveness } from "../src/storage/sessions/process-liveness.ts";
import { createSessionLeases, sessionLeaseName } from "../src/storage/sessions/session-lease.ts";
import { makeHome, pincerBin, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

const openStores = () =>
  openSqliteStores({ file: join(home.path, "core.db"), clock: systemClock, ids: createIds() });

const start = (args: string[]) =>
  spawn(process.execPath, [pincerBin, ...args], {
    env: { ...process.env, PINCER_HOME: home.path },
    stdio: ["ignore", "pipe", "pipe"],
  });

describe("Ctrl-C", () => {
  it("ends an ask that waits for a busy session, cleanly, with the object complete", async () => {
    const stores = await openStores();
    const { leases } = stores.tenant("t_default");
    const liveness = createProcessLiveness();
    const held = createSessionLeases({
      leases,
      clock: systemClock,
      holder: liveness.self("test"),
      isAlive: liveness.isAlive,
    });
    const name = sessionLeaseName({ workspaceId: "w_default", sessionKey: "agent:main:main" });
    await held.hold(name, async () => {
      const asking = start(["ask", "--json", "hello"]);
      let out = "";
      asking.stdout.on("data", (text: Buffer) => (out += text));
      // It says that it waits; then it is interrupted.
      await once(asking.stderr, "data");
      asking.kill("SIGINT");
      const [status] = (await once(asking, "close")) as [number];
      expect(status).toBe(130);
      expect(JSON.parse(out)).toMatchObject({ stage: "session", error: { code: "turn/aborted" } });
    });
    await stores.close();
  });

  it.each(["SIGTERM", "SIGHUP"] as const)(
    "ends a turn as stopped on %s, also when it comes twice, and keeps the words so far",
    async (name) => {
      // Says one word and then nothing.
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(200, { "content-type": "text/event-stream" });
        const choices = [{ index: 0, delta: { content: "Hello " }, finish_reason: null }];
        response.write(`data: ${JSON.stringify({ id: "c", model: "m", choices })}\n\n`);
        // Nobody can see from outside that the word has come; a busy machine needs a while for it.
        setTimeout(() => void (asking.kill(name), asking.kill(name)), 2000);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const config = { models: { discover: false, providers: { mine: { baseUrl, models: [{ id: "m" }] } } } };
      writeFileSync(join(home.path, "config.json5"), JSON.stringify(config), { mode: 0o600 });
      const asking = start(["ask", "--json", "--model", "mine/m", "hello"]);
      let out = "";
      asking.stdout.on("data", (text: Buffer) => (out += text));
      const [status] = (await once(asking, "close")) as [number];
      server.closeAllConnections();
      server.close();
      expect(status).toBe(130);
      expect(JSON.parse(out)).toMatchObject({ error: { code: "turn/aborted" } });
      expect(out).toContain("Hello ");
      const { out: listed } = await home.run(["runs", "list", "--json"]);
      expect(JSON.parse(listed)).toMatchObject({ runs: [{ state: "failed", ending: { type: "aborted" } }] });
    },
  );

  it("ends an export that nobody reads", async () => {
    await home.run(["ask", "--session", "big", "hi"]);
    const stores = await openStores();
    const tenant = stores.tenant("t_default");
    const session = await tenant.sessions.findActive("w_default", "agent:main:named:big");
    const text = "x".repeat(4096);
    const bodies = Array.from({ length: 500 }, () => ({
      type: "message" as const,
      message: { role: "user" as const, content: [{ type: "text" as const, text }] },
    }));
    await tenant.entries.append(session?.sessionId ?? "", bodies);
    await stores.close();

    const exporting = start(["sessions", "export", "big"]);
    await once(exporting.stdout, "readable");
    exporting.kill("SIGINT");
    // Its stdout stays unread: only the signal can end it.
    const [status] = (await once(exporting, "exit")) as [number];
    expect(status).toBe(130);
  });

  it.skipIf(!hasProgram("tmux"))(
    "at a terminal reaches Pincer once, also where an old Node has handed over",
    async () => {
      const old = join(home.path, "old.mjs");
      writeFileSync(old, 'Object.defineProperty(process.versions, "node", { value: "18.20.0" });');
      const socket = join(home.path, "tmux.sock");
      const tmux = (...args: string[]) => execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8" });
      const command = `PINCER_NODE='${process.execPath}' PINCER_HOME='${home.path}' '${process.execPath}' --import '${old}' '${pincerBin}' chat; echo "status $?"; sleep 60`;
      tmux("-f", "/dev/null", "new-session", "-d", "-s", "c", "-x", "120", "-y", "30", command);
      const until = async (text: string) => {
        for (let look = 0; look < 600 && !tmux("capture-pane", "-p", "-t", "c").includes(text); look++)
          await pause(50);
        expect(tmux("capture-pane", "-p", "-t", "c")).toContain(text);
      };
      try {
        await until("Pincer is ready");
        tmux("send-keys", "-t", "c", "C-c");
        await until("Bye.");
        await until("status 0");
      } finally {
        tmux("kill-server");
      }
    },
  );
});
