import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as channels from "./channels.ts";

async function homeWith(config: string) {
  const home = await createCommandHome();
  await mkdir(home.environment["PINCER_HOME"] ?? "", { recursive: true });
  await writeFile(join(home.environment["PINCER_HOME"] ?? "", "config.json5"), config);
  return home;
}

const config = "{ channels: { local: { enabled: true }, telegram: { enabled: false } } }";

it("CLI-22 lists every account of the config, and says that no gateway runs", async () => {
  const home = await homeWith(config);
  const listed = await home.run(channels, "channels", "list");
  expect(listed.out).toMatch(/local +stopped +no gateway runs/);
  expect(listed.out).toMatch(/telegram +off/);
  expect(await home.run(channels, "channels", "status", "--channel", "local")).toMatchObject({ status: 1 });
  expect((await home.runInChinese(channels, "channels", "list")).out).toContain("没有运行网关");
});

it("CLI-22 tells how a running gateway finds them, and ends with 1 when one is red", async () => {
  const home = await homeWith(config);
  await home.startGateway();
  const found = await home.run(channels, "channels", "status", "--json");
  expect(found.status).toBe(0);
  expect(found.json()).toMatchObject({
    channels: [
      { channel: "local", enabled: true, state: "connected" },
      { channel: "telegram", enabled: false, state: "stopped" },
    ],
  });
  const unknown = await home.run(channels, "channels", "status", "--channel", "fax");
  expect(unknown.status).toBe(2);
  expect(unknown.err).toContain("pincer channels list");
});

it("says how to add one where there is none", async () => {
  const home = await homeWith("{}");
  expect(await home.run(channels, "channels", "list")).toMatchObject({ status: 0, out: "" });
  expect((await home.run(channels, "channels", "list")).err).toContain("pincer config set");
});
