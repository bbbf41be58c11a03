/** While a gateway runs, nobody else opens the database. */
import { readdir, rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBackupDesk } from "../backups/backup-desk.ts";
import { createTestHome, type TestHome } from "../doctor/testing/test-home.ts";
import { openGround } from "../open-ground.ts";
import { openSessionDesk } from "../session-desk.ts";
import { readStatus } from "../status.ts";
import { runDoctor } from "../doctor/run-doctor.ts";
import { connectToGateway } from "./connect-to-gateway.ts";
import { consultDoctor } from "./doctor-desk.ts";
import { openDesk, type DeskDoors } from "./open-desk.ts";
import { askStatus } from "./status-desk.ts";
import { stopGateway } from "./stop-gateway.ts";
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
const doors: DeskDoors = {
  connect: connectToGateway,
  openGround(...given) {
    opened += 1;
    return openGround(...given);
  },
};
const start = async () => {
  gateway = await startGatewayInHome(home.environment);
  return gateway;
};

describe("a desk", () => {
  it("is the gateway's while one runs, and then nobody opens the database", async () => {
    const { asked, changes, ground } = await start();
    const [row] = await ground.stores.outbox.enqueue([
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
    const { desk, where, close } = await openDesk("outbox", parts(), doors);
    await desk.retry({ id: row?.id ?? "" });
    await close();
    expect({ where, opened }).toEqual({ where: "gateway", opened: 0 });
    expect(asked).toEqual(["outbox.retry"]);
    expect(changes.outbox).toMatchObject([{ id: row?.id }]);
  });

  it("is the home's own without one", async () => {
    const { desk, where, close } = await openDesk("owner", parts(), doors);
    expect(await desk.list({})).toEqual({ owners: [] });
    await close();
    expect({ where, opened }).toEqual({ where: "home", opened: 1 });
  });

  it("is not opened beside a gateway that does not answer", async () => {
    await start();
    const silent: DeskDoors = {
      ...doors,
      connect: () => Promise.reject(Object.assign(new Error("silent"), { code: "gateway/unreachable" })),
    };
    await expect(openDesk("owner", parts(), silent)).rejects.toMatchObject({ code: "gateway/unreachable" });
    expect(opened).toBe(0);
  });
});

describe("sessions", () => {
  it("are read, taken out and deleted through the gateway as without one", async () => {
    await home.talk("agent:main:main", ...Array.from({ length: 700 }, (_, index) => `words ${index}`));
    const readAll = async () => {
      const desk = await openSessionDesk(parts(), doors);
      const session = await desk.find("main");
      const found = {
        page: await desk.list({ limit: 5 }),
        recent: (await desk.recent(session, 3)).map(({ seq }) => seq),
        entries: (await Array.fromAsync(desk.entries(session))).length,
        lines: (await Array.fromAsync(desk.lines(session))).join(""),
      };
      await desk.close();
      return found;
    };
    const without = await readAll();
    expect(without).toMatchObject({ recent: [699, 700, 701], entries: 701 });
    await start();
    expect(await readAll()).toEqual(without);
    expect(opened).toBe(1);
    const desk = await openSessionDesk(parts(), doors);
    await desk.delete(await desk.find("main"));
    await expect(desk.find("main")).rejects.toMatchObject({ code: "session/not-found" });
    await desk.close();
  });
});

describe("status", () => {
  it("is told by the gateway, with itself in it and what needs the owner", async () => {
    const { ground } = await start();
    await ground.stores.notices.add({
      kind: "test",
      subject: "s",
      text: { key: "failure.no-session", parameters: { id: "x" } },
    });
    await ground.stores.notices.add({
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

  it("speaks the language of whoever asks", async () => {
    const { ground } = await start();
    await ground.stores.notices.add({
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

  it("repairs nothing while a gateway runs, and says what to do", async () => {
    await start();
    await expect(
      consultDoctor(parts(), { fix: true, signal }, { connect: connectToGateway, runDoctor: never }),
    ).rejects.toMatchObject({ code: "gateway/running", hint: expect.stringContaining("gateway stop") });
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
    const desk = createBackupDesk({
      ...parts(),
      signal,
      onProgress: (done, total) => progress.push(done / total),
    });
    const made = await desk.create({ directory: home.path("..", "kept"), withKey: false });
    expect(made.manifest.database).toMatchObject({ sessions: 1 });
    expect(asked).toEqual(["backup.create"]);
    expect(progress.at(-1)).toBe(1);
    expect((await desk.verify(made.directory)).ok).toBe(true);
    await expect(desk.create({ directory: made.directory, withKey: false })).rejects.toMatchObject({
      code: "backup/refused",
    });
  });

  it("are not brought back while a gateway runs", async () => {
    await home.talk("agent:main:main", "hello");
    const desk = createBackupDesk({ ...parts(), signal });
    const { directory } = await desk.create({ directory: undefined, withKey: false });
    await start();
    await expect(desk.restore(directory, async () => true)).rejects.toMatchObject({
      code: "gateway/running",
    });
    await gateway?.stop();
    expect(await desk.restore(directory, async () => true)).toBeDefined();
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
