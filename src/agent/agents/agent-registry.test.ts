import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { createAgentRegistry } from "./agent-registry.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pincer-agents-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function registry(list: Config["agents"]["list"]) {
  const plain = defaultConfig;
  let config: Config = { ...plain, agents: { ...plain.agents, list } };
  return {
    agents: createAgentRegistry({
      config: () => config,
      clock: createHandClock(),
      environment: {},
      home: { root },
      cwd: root,
      extraTools: [],
    }),
    change(next: Config["agents"]["list"]) {
      config = { ...config, agents: { ...config.agents, list: next } };
    },
  };
}

describe("the agents", () => {
  it("LOOP-08 each have their own workdir, tools, model and words about themselves", () => {
    const { agents } = registry([
      { id: "helper", workspace: join(root, "helper"), systemPrompt: "You help.", model: "local/small" },
    ]);
    const [main, helper] = [agents.get("main"), agents.get("helper")];
    expect(main.workdir()).not.toBe(helper.workdir());
    expect(main.toolsIn(main.workdir()).tools).not.toBe(helper.toolsIn(helper.workdir()).tools);
    expect(helper.settings.systemPrompt).toBe("You help.");
    expect([main.settings.model, helper.settings.model]).toEqual([undefined, "local/small"]);
  });

  it("SAFE-05 work where they did when a link was put in the place of their workdir, before or after they first worked there", async () => {
    const [outer, inner, elsewhere] = [join(root, "p"), join(root, "p", "sub"), join(root, "elsewhere")];
    for (const path of [inner, elsewhere]) mkdirSync(path, { recursive: true });
    writeFileSync(join(elsewhere, "secret.txt"), "secret");
    const list = [
      { id: "outer", workspace: outer },
      { id: "inner", workspace: inner },
    ];
    const { agents, change } = registry(list);
    rmSync(inner, { recursive: true });
    symlinkSync(elsewhere, inner);
    const read = () => {
      const agent = agents.get("inner");
      return agent.toolsIn(agent.workdir()).agentWorkspace.files.list(".", 1, 10);
    };
    await expect(read()).rejects.toThrow(/another directory than before/);
    change([...list, { id: "third" }]);
    await expect(read()).rejects.toThrow(/another directory than before/);
  });

  it("LOOP-08 stay the same until the config changes", () => {
    const { agents, change } = registry([]);
    const before = agents.get("main");
    expect(agents.get("main")).toBe(before);
    change([{ id: "main", systemPrompt: "You have changed." }]);
    expect(agents.get("main").settings.systemPrompt).toBe("You have changed.");
  });

  it("LOOP-12 have their workdir made for them, and know their name and whom they work for", () => {
    const { agents } = registry([
      { id: "helper", workspace: join(root, "a", "b"), identity: { name: "Molly", user: "Ada" } },
    ]);
    const helper = agents.get("helper");
    expect(existsSync(helper.workdir())).toBe(true);
    expect(helper.settings.identity).toEqual({ name: "Molly", user: "Ada" });
    expect(agents.get("main").settings.identity).toEqual({ name: undefined, user: undefined });
  });

  it("refuse a workdir given for one run that is not there", () => {
    const { agents } = registry([]);
    expect(() => agents.get("main").workdir(join(root, "nowhere"))).toThrow(/nowhere/);
  });
});
