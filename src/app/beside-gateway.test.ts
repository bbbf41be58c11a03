/** While a gateway runs, nobody else opens the database. */
import { chmod, readdir, rm, stat } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBackupApi } from "../operate/backup-api.ts";
import { createTestHome, type TestHome } from "../operate/doctor/testing/test-home.ts";
import { openHome } from "../storage/home/open-home.ts";
import { createSessionApi } from "../operate/session-api.ts";
import { readStatus } from "../operate/status/status.ts";
import { runDoctor } from "../operate/doctor/run-doctor.ts";
import { connectToGateway } from "../gateway/connect-to-gateway.ts";
import { consultDoctor } from "../operate/doctor/doctor-api.ts";
import { openApi, type ApiOpeners } from "./open-api.ts";
import { askStatus } from "../operate/status/status-api.ts";
import { stopGateway } from "../operate/service/stop-gateway.ts";
import { startGatewayInHome, type GatewayInHome } from "./testing/gateway-in-home.ts";

const signal = new AbortController().signal;
let home: TestHome;
let gateway: GatewayInHome | undefined;
let opened: number;

beforeEach(async () => {
  home = await createTestHome();
  gateway = undefined;
  opened = 0;
});
afterEach(async () => {
  await gateway?.stop();
  await home.remove();
});

const parts = () => ({ ...home.parts, version: "0.0.0-test", notify: () => {} });
const doors: ApiOpeners = {
  connect: connectToGateway,
  openHome(...given) {
    opened += 1;
    return openHome(...given);
  },
};
const start = async () => {
  gateway = await startGatewayInHome(home.environment);
  return gateway;
};

describe("an API", () => {
  it("is the gateway's while one runs, and then nobody opens the database", async () => {
    const { asked, changes, openedHome } = await start();
    const [row] = await openedHome.stores.outbox.enqueue([
      {
        destination: { channel: "local", accountId: "default", target: { peerKind: "user", peerId: "1" } },
        kind: "reply",
        turnId: null,
        text: "hello",
        attachments: [],
        replyTo: null,
        notAfter: "2099-01-01T00:00:00.000Z",
        dedupeKey: null,
      },
    ]);
    const { api, where, close } = await openApi("outbox", parts(), doors);
    await api.retry({ id: row?.id ?? "" });
    await close();
    expect({ where, opened }).toEqual({ where: "gateway", opened: 0 });
    expect(asked).toEqual(["outbox.retry"]);
    expect(changes.outbox).toMatchObject([{ id: row?.id }]);
  });

  it("is the home's own without one", async () => {
    const { api, where, close } = await openApi("owner", parts(), doors);
    expect(await api.list({})).toEqual({ owners: [] });
    await close();
    expect({ where, opened }).toEqual({ where: "home", opened: 1 });
  });

  it("is not opened beside a gateway that does not answer", async () => {
    await start();
    const silent: ApiOpeners = {
      ...doors,
      connect: () => Promise.reject(Object.assign(new Error("silent"), { code: "gateway/unreachable" })),
    };
    await expect(openApi("owner", parts(), silent)).rejects.toMatchObject({ code: "gateway/unreachable" });
    expect(opened).toBe(0);
  });
});

describe("sessions", () => {
  it("are read, taken out and deleted through the gateway as without one", async () => {
    await home.talk("agent:main:main", ...Array.from({ length: 700 }, (_, index) => `words ${index}`));
    const readAll = async () => {
      const api = createSessionApi(await openApi("sessions", parts(), doors), home.parts.cwd);
      const session = await api.find("main");
      const found = {
        page: await api.list({ limit: 5 }),
        recent: (await api.recent(session, 3)).map(({ seq }) => seq),
        entries: (await Array.fromAsync(api.entries(session))).length,
        lines: (await Array.fromAsync(api.lines(session))).join(""),
      };
      await api.close();
      return found;
    };
    const without = await readAll();
    expect(without).toMatchObject({ recent: [699, 700, 701], entries: 701 });
    await start();
    expect(await readAll()).toEqual(without);
    expect(opened).toBe(1);
    const api = createSessionApi(await openApi("sessions", parts(), doors), home.parts.cwd);
    await api.delete(await api.find("main"));
    await expect(api.find("main")).rejects.toMatchObject({ code: "session/not-found" });
    await api.close();
  });
});

describe("status", () => {
  it("is told by the gateway, with itself in it and what needs the owner", async () => {
    const { openedHome } = await start();
    await openedHome.stores.notices.add({
      kind: "test",
      subject: "s",
      text: { key: "failure.no-session", parameters: { id: "x" } },
    });
    await openedHome.stores.notices.add({
      kind: "unknown",
      subject: "of another version",
      text: { key: "no.such", parameters: {} },
    });
    const status = await askStatus(parts(), {
      connect: connectToGateway,
      readStatus: () => Promise.reject(new Error("looked for itself")),
    });
    expect(status).toMatchObject({
      ok: true,
      database: { state: "open" },
      gateway: {
        running: true,
        pid: process.pid,
        channels: [{ channel: "local", state: "connected" }],
        turns: { running: 1, waiting: 2 },
        outbox: { waiting: 0 },
        approvals: { waiting: 0 },
        notices: { open: 2 },
      },
    });
    expect(status.notices.map(({ text }) => text).sort()).toEqual([
      "There is no session x.",
      "unknown: of another version",
    ]);
  });

  it("speaks the language of the caller", async () => {
    const { openedHome } = await start();
    await openedHome.stores.notices.add({
      kind: "test",
      subject: "s",
      text: { key: "failure.no-session", parameters: { id: "x" } },
    });
    const chinese = { ...parts(), environment: { ...home.environment, PINCER_LANG: "zh" } };
    const status = await askStatus(chinese, { connect: connectToGateway, readStatus });
    expect(status.notices[0]?.text).toBe("没有会话 x。");
  });
});

describe("the doctor", () => {
  const never = () => Promise.reject(new Error("looked for itself"));

  it("looks with the gateway's eyes and finds the same", async () => {
    await home.talk("agent:main:main", "hello");
    const without = await consultDoctor(parts(), { fix: false, signal });
    await start();
    const progress: string[] = [];
    const request = { fix: false, signal, onProgress: (title: string) => void progress.push(title) };
    const beside = await consultDoctor(parts(), request, { connect: connectToGateway, runDoctor: never });
    expect(beside.checks.map(({ id, level }) => [id, level])).toEqual([
      ...without.checks.map(({ id, level }) => [id, level]),
      ["update", "ok"],
    ]);
    expect(progress.length).toBeGreaterThan(5);
  });

  it("closes an open home at once while a gateway runs", async () => {
    await start();
    await chmod(home.path(), 0o755);
    const beside = { connect: connectToGateway, runDoctor: never };
    const report = await consultDoctor(parts(), { fix: true, signal }, beside);
    expect(report).toMatchObject({ ok: true, fixed: [{ id: "permissions" }], notFixed: [] });
    expect((await stat(home.path())).mode & 0o777).toBe(0o700);
  });

  it("names what it can repair only without a gateway as left, and says what to do", async () => {
    await start();
    await rm(home.path("workspace"), { recursive: true, force: true });
    const beside = { connect: connectToGateway, runDoctor: never };
    const report = await consultDoctor(parts(), { fix: true, signal }, beside);
    expect(report).toMatchObject({
      ok: false,
      notFixed: [{ id: "workdir", why: expect.stringContaining("pincer gateway stop") }],
    });
    await gateway?.stop();
    expect((await consultDoctor(parts(), { fix: true, signal })).ok).toBe(true);
  });

  it("makes a home that is not there", async () => {
    await rm(home.path(), { recursive: true });
    const report = await consultDoctor(
      parts(),
      { fix: true, signal },
      { connect: connectToGateway, runDoctor },
    );
    expect(report.fixed.map(({ id }) => id)).toContain("home");
  });
});

describe("backups", () => {
  it("are made by the gateway while one runs, with progress, and are whole", async () => {
    await home.talk("agent:main:main", "hello");
    const { asked } = await start();
    const progress: number[] = [];
    const api = createBackupApi({
      ...parts(),
      signal,
      onProgress: (done, total) => progress.push(done / total),
    });
    const made = await api.create({ directory: home.path("..", "kept"), withKey: false });
    expect(made.manifest.database).toMatchObject({ sessions: 1 });
    expect(asked).toEqual(["backup.create"]);
    expect(progress.at(-1)).toBe(1);
    expect((await api.verify(made.directory)).ok).toBe(true);
    await expect(api.create({ directory: made.directory, withKey: false })).rejects.toMatchObject({
      code: "backup/refused",
    });
  });

  it("are not brought back while a gateway runs", async () => {
    await home.talk("agent:main:main", "hello");
    const api = createBackupApi({ ...parts(), signal });
    const { directory } = await api.create({ directory: undefined, withKey: false });
    await start();
    await expect(api.restore(directory, async () => true)).rejects.toMatchObject({
      code: "gateway/running",
    });
    await gateway?.stop();
    expect(await api.restore(directory, async () => true)).toBeDefined();
  });
});

describe("stopping", () => {
  it("GW-15 waits until the gateway has let go of the home", async () => {
    await start();
    const pids: number[] = [];
    const stopped = await stopGateway({ ...parts(), signal }, { onStopping: (pid) => pids.push(pid) });
    expect(stopped).toEqual({ type: "stopped", pid: process.pid });
    expect(pids).toEqual([process.pid]);
    expect(await readdir(home.path())).not.toContain("gateway.sock");
    expect(await stopGateway({ ...parts(), signal }, { onStopping: () => {} })).toEqual({
      type: "not-running",
    });
  });
});
