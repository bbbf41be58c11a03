import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { systemClock } from "../infra/clock.ts";
import { tryLock, withHomeLock } from "./home-lock.ts";
import { createTemporaryHome } from "./testing/temporary-home.ts";

it("lets one at a time in, in one process too", async () => {
  const { root } = await createTemporaryHome();
  let inside = 0;
  let most = 0;
  const enter = () =>
    withHomeLock(root, systemClock, async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 10 }, enter));
  expect(most).toBe(1);
  expect((await stat(join(root, "home.lock"))).mode & 0o777).toBe(0o600);
});

it("is free again after a failure", async () => {
  const { root } = await createTemporaryHome();
  await expect(withHomeLock(root, systemClock, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withHomeLock(root, systemClock, async () => "in")).toBe("in");
});

it("does not outlive a holder that was killed", async () => {
  const { root } = await createTemporaryHome();
  const door = fileURLToPath(new URL("home-lock.ts", import.meta.url));
  const script = `
    const { tryLock } = await import(${JSON.stringify(door)});
    globalThis.release = await tryLock(${JSON.stringify(root)});
    console.log("held");
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  expect(await tryLock(root)).toBeUndefined();
  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(await withHomeLock(root, systemClock, async () => "in")).toBe("in");
});
