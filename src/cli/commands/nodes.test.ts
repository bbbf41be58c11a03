import { mkdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { startTestGateway } from "../../gateway/testing/test-gateway.ts";
import type { MethodHandlers } from "../../gateway/method-calls.ts";
import { createCommandHome } from "../testing/command-home.ts";
import * as nodes from "./nodes.ts";
import * as plugins from "./plugins.ts";

async function homeWith(methods: Partial<MethodHandlers>) {
  const home = await createCommandHome();
  const directory = home.environment["PINCER_HOME"] ?? "";
  await mkdir(directory, { recursive: true });
  await startTestGateway({ directory, methods });
  return home;
}

it("UI-02 lists the nodes that are connected, whatever they call themselves", async () => {
  const home = await homeWith({
    "nodes.list": async () => ({
      nodes: [
        {
          id: "n_1",
          name: "phone \u001b[2J",
          platform: "ios",
          version: "1",
          commands: [{ name: "camera.snap", description: "" }],
          by: "device:1",
          since: "2026-01-01T12:00:00.000Z",
        },
      ],
    }),
  });
  const shown = await home.run(nodes, "nodes", "list");
  expect(shown.out).toMatch(/n_1 +phone .*ios 1 +camera\.snap/);
  expect(shown.out).not.toContain("\u001b");
  expect((await home.run(nodes, "nodes", "list", "--json")).json()).toMatchObject({ nodes: [{ id: "n_1" }] });
});

it("GW-14 lists the plugins with what they bring, or why they were left out", async () => {
  const home = await homeWith({
    "plugins.list": async () => ({
      plugins: [
        {
          path: "/p/dice",
          state: "loaded",
          id: "dice",
          version: "1.0.0",
          brings: { channels: [], tools: ["roll_dice"] },
          problem: null,
        },
        {
          path: "/p/bad",
          state: "left-out",
          id: null,
          version: null,
          brings: { channels: [], tools: [] },
          problem: "it failed: boom",
        },
      ],
    }),
  });
  const shown = await home.run(plugins, "plugins", "list");
  expect(shown.out).toMatch(/dice +1\.0\.0 +loaded +channels: -; tools: roll_dice/);
  expect(shown.out).toContain("it failed: boom");
  expect((await home.runInChinese(plugins, "plugins", "list")).out).toContain("未加载");
});

it("says that none are there, and that no gateway runs", async () => {
  const home = await homeWith({
    "nodes.list": async () => ({ nodes: [] }),
    "plugins.list": async () => ({ plugins: [] }),
  });
  expect((await home.run(nodes, "nodes", "list")).err).toContain("No node");
  expect((await home.run(plugins, "plugins", "list")).err).toContain("No plugin");
  const alone = await createCommandHome();
  const shown = await alone.run(nodes, "nodes", "list");
  expect(shown.status).not.toBe(0);
  expect(shown.err).toContain("not running");
});
