import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createTemporaryHome } from "../config/testing/temporary-home.ts";
import { systemClock } from "../infra/clock.ts";
import { lockForGateway, untilGatewayHasEnded, withoutGateway } from "./gateway-lock.ts";

const clock = systemClock;
const never = new AbortController().signal;

it("GW-13 lets one gateway run in a home and tells the second who runs and what to do", async () => {
  const home = await createTemporaryHome();
  const lock = await lockForGateway({ home, clock });
  expect((await stat(home.gatewayPidFile)).mode & 0o777).toBe(0o600);
  await expect(lockForGateway({ home, clock })).rejects.toMatchObject({
    code: "gateway/running",
    message: expect.stringContaining(`process ${process.pid}`),
    hint: expect.stringContaining("pincer gateway stop"),
  });
  await lock.release();
  await expect(readFile(home.gatewayPidFile)).rejects.toMatchObject({ code: "ENOENT" });
  await (await lockForGateway({ home, clock })).release();
});

it("says what to do where the disk refuses the lock", async () => {
  const home = await createTemporaryHome();
  await mkdir(join(home.root, "gateway.lock"));
  await expect(lockForGateway({ home, clock })).rejects.toMatchObject({
    code: "storage/unavailable",
    hint: expect.stringContaining("read and write"),
  });
});

it("leaves the place free where the disk takes the lock and not the number", async () => {
  const home = await createTemporaryHome();
  await mkdir(home.gatewayPidFile);
  await expect(lockForGateway({ home, clock })).rejects.toMatchObject({ code: "storage/unavailable" });
  await rmdir(home.gatewayPidFile);
  await (await lockForGateway({ home, clock })).release();
});

it("GW-13 lets homes of their own have gateways of their own", async () => {
  const [one, two] = [await createTemporaryHome(), await createTemporaryHome()];
  const locks = [await lockForGateway({ home: one, clock }), await lockForGateway({ home: two, clock })];
  expect(locks).toHaveLength(2);
  for (const lock of locks) await lock.release();
});

it("GW-13 is free again as soon as the gateway was killed, whatever its pid file says", async () => {
  const home = await createTemporaryHome();
  const door = fileURLToPath(new URL("gateway-lock.ts", import.meta.url));
  const clockDoor = fileURLToPath(new URL("../infra/clock.ts", import.meta.url));
  const script = `
    const { lockForGateway } = await import(${JSON.stringify(door)});
    const { systemClock } = await import(${JSON.stringify(clockDoor)});
    const home = ${JSON.stringify({ root: home.root, gatewayPidFile: home.gatewayPidFile })};
    globalThis.lock = await lockForGateway({ home, clock: systemClock });
    console.log("held");
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  await expect(lockForGateway({ home, clock })).rejects.toThrow(`process ${holder.pid}`);
  expect(await untilGatewayHasEnded({ home, clock }, 100, never)).toBe(false);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(await untilGatewayHasEnded({ home, clock }, 100, never)).toBe(true);
  await (await lockForGateway({ home, clock })).release();
});

it("keeps a gateway away while something is done that none may run beside", async () => {
  const home = await createTemporaryHome();
  await withoutGateway({ home, clock }, async () => {
    await expect(lockForGateway({ home, clock })).rejects.toMatchObject({ code: "gateway/running" });
  });
  const lock = await lockForGateway({ home, clock });
  await expect(withoutGateway({ home, clock }, async () => "done")).rejects.toMatchObject({
    code: "gateway/running",
    hint: expect.stringContaining("gateway stop"),
  });
  await lock.release();
  expect(await withoutGateway({ home, clock }, async () => "done")).toBe("done");
});
