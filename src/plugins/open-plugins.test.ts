import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../config/default-config.ts";
import { locateHome } from "../config/home.ts";
import { systemClock } from "../infra/clock.ts";
import { createIds } from "../infra/ids.ts";
import { createSay } from "../infra/texts.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { openPlugins } from "./open-plugins.ts";

async function stage() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pincer-plugins-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const clock = createHandClock();
  const { notices } = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("t_default");
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const home = locateHome({ PINCER_HOME: join(root, "home") });
  const open = (load: string[]) =>
    openPlugins({
      config: { ...defaultConfig, plugins: { load } },
      home,
      cwd: root,
      environment: { HOME: root },
      channels: ["local"],
      notices,
      clock: systemClock,
      say: createSay("en"),
      log,
    });
  const write = async (path: string, source: string) => {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, source, { mode: 0o600 });
    return path;
  };
  return { root, home, notices, open, write };
}

describe("the plugins of a home", () => {
  it("are none where the config lists none", async () => {
    const { open } = await stage();
    expect(await open([])).toMatchObject({ channels: [], tools: [], report: [] });
  });

  it("GW-14 one that is left out is the owner's business until it works", async () => {
    const { root, notices, open, write } = await stage();
    const path = join(root, "p.mjs");
    await open([path]);
    expect(await notices.list({ limit: 10 })).toMatchObject([
      { kind: "plugin-left-out", subject: `plugin:${path}` },
    ]);
    await write(path, "export default { id: 'p' }");
    expect((await open([path])).report).toMatchObject([{ state: "loaded" }]);
    expect(await notices.list({ limit: 10 })).toEqual([]);
  });

  it("are not taken from the usual workspace, nor from files that others sent", async () => {
    const { home, open, write } = await stage();
    const source = "export default { id: 'p' }";
    const inWorkspace = await write(join(home.root, "workspace/p.mjs"), source);
    const sent = await write(join(home.mediaDir, "p.mjs"), source);
    const { report } = await open([inWorkspace, sent]);
    expect(report.map(({ problem }) => problem)).toEqual([
      expect.stringContaining("may write"),
      expect.stringContaining("may write"),
    ]);
  });

  it.each(["read", "read_file", "exec", "bash", "message", "sessions_send", "memory_append"])(
    "may not bring a tool that answers to %s",
    async (name) => {
      const { root, open, write } = await stage();
      const tool = `{ name: "${name}", effect: "read", description: "d", input: { type: "object", properties: {} }, run: async () => ({ text: "" }) }`;
      const path = await write(join(root, "p.mjs"), `export default { id: "p", tools: [${tool}] }`);
      expect((await open([path])).report).toMatchObject([{ problem: `there is already a tool ${name}` }]);
    },
  );
});
