import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { locateHome } from "../../config/home.ts";
import { openRecovery } from "../../storage/home/recovery.ts";
import { draft } from "../../storage/testing/message-samples.ts";
import { createCommandHome } from "../testing/command-home.ts";
import * as health from "./health.ts";

it("CLI-23 says that no gateway runs, and ends with 1", async () => {
  const home = await createCommandHome();
  await home.fill(async () => {});
  const looked = await home.run(health, "health", "--json");
  expect(looked.status).toBe(1);
  expect(looked.json()).toMatchObject({
    status: "failing",
    checks: expect.arrayContaining([
      expect.objectContaining({ name: "gateway", status: "failing" }),
      expect.objectContaining({ name: "database", status: "ok" }),
    ]),
  });
});

it("CLI-23 is well beside a gateway that is well, and names what is not", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  expect(await home.run(health, "health")).toMatchObject({ status: 0 });
});

it("CLI-23 ends with 1 while the config cannot be used, with and without a gateway", async () => {
  const home = await createCommandHome();
  await home.startGateway();
  await writeFile(join(home.environment["PINCER_HOME"] ?? "", "config.json5"), "{ gateway: { port: ");
  const looked = await home.run(health, "health");
  expect(looked.status).toBe(1);
  expect(looked.out).toMatch(/config +failing +the config cannot be used.*pincer config validate/);
});

it("CLI-23 ends with 1 while a part of the config is not used", async () => {
  const home = await createCommandHome();
  await home.fill(async () => {});
  const root = home.environment["PINCER_HOME"] ?? "";
  await writeFile(join(root, "config.json5"), "{ telemetry: { enabled: 5 } }");
  const looked = await home.run(health, "health");
  expect(looked.status).toBe(1);
  expect(looked.out).toMatch(/config +failing .*telemetry is not used/);
});

it("names messages that could not be sent, and ends with 0: the gateway works", async () => {
  const home = await createCommandHome();
  await home.fill(async (stores) => {
    const [row] = await stores.outbox.enqueue([draft("hello")]);
    await stores.outbox.beginSend(row?.id ?? "");
    await stores.outbox.fail(row?.id ?? "", { code: "rejected", message: "no" }, { drafts: [] });
  });
  await home.startGateway();
  const looked = await home.run(health, "health");
  expect(looked.status).toBe(0);
  expect(looked.out).toMatch(/outbox +degraded +1 messages could not be sent/);
  expect((await home.runInChinese(health, "health")).out).toContain("未能发送");
});

it("is an answer also where the database cannot be read, and names the loss", async () => {
  const home = await createCommandHome();
  const root = home.environment["PINCER_HOME"] ?? "";
  await mkdir(root, { recursive: true });
  await writeFile(join(root, "core.db"), "this is no database, however long one looks at it".repeat(100));
  const looked = await home.run(health, "health", "--json");
  expect(looked.status).toBe(1);
  const { status, checks } = looked.json() as { status: string; checks: Array<Record<string, unknown>> };
  expect(status).toBe("failing");
  expect(checks[0]).toMatchObject({
    name: "database",
    status: "failing",
    reason: expect.stringContaining("tools are off and strangers are out until you have looked"),
  });
});

it.each(["a home that is not there", "the empty directory of a drive that is not mounted"])(
  "CLI-23 makes nothing in %s, and says what is missing",
  async (which) => {
    const home = await createCommandHome();
    const root = home.environment["PINCER_HOME"] ?? "";
    if (which.includes("empty")) await mkdir(root);
    const looked = await home.run(health, "health");
    expect(looked.status).toBe(1);
    expect(looked.out).toMatch(/database +failing +There is no database in the home .*mounted/);
    expect(await readdir(root).catch(() => "nothing")).toEqual(which.includes("empty") ? [] : "nothing");
  },
);

it("CLI-23 names a loss that the owner has not looked at, without a gateway too", async () => {
  const home = await createCommandHome();
  await home.fill(async () => {});
  const { recoveryFile } = locateHome(home.environment);
  openRecovery(recoveryFile).begin({ at: "2026-01-01T12:00:00.000Z", lost: "log", changes: 0, rows: {} });
  const looked = await home.run(health, "health");
  expect(looked.status).toBe(1);
  expect(looked.out).toMatch(/database +failing +.*pincer doctor --confirm/);
  openRecovery(recoveryFile).confirm();
  expect((await home.run(health, "health")).out).toMatch(/database +ok/);
});
