import { describe, expect, it } from "vitest";
import { defaultConfig } from "../config/default-config.ts";
import type { Config } from "../config/schema.ts";
import { decideToolAccess } from "../policy/tool-access.ts";
import { createEchoTool } from "../tools/echo.ts";
import { createToolSet } from "../tools/tool-set.ts";
import { agentSettings, stepLimit, unknownToolNames } from "./agent-settings.ts";

const base = defaultConfig;
const withTools = (tools: Partial<Config["tools"]>, list: Config["agents"]["list"] = []): Config => ({
  ...base,
  tools: { ...base.tools, ...tools },
  agents: { ...base.agents, list },
});
const access = (config: Config, agentId: string, names: string[]) =>
  decideToolAccess(names, agentSettings(config, agentId).toolRules);

describe("the settings of an agent", () => {
  it("are the defaults with its own laid over them", () => {
    const config = withTools({}, [
      {
        id: "helper",
        model: "local/small",
        workspace: "/srv/helper",
        systemPrompt: "Be brief.",
        toolMaxSteps: 2,
      },
    ]);
    expect(agentSettings(config, "helper")).toMatchObject({
      model: "local/small",
      workspace: "/srv/helper",
      systemPrompt: "Be brief.",
      toolMaxSteps: 2,
      maxContextMessages: 50,
    });
    expect(agentSettings(config, "main")).toMatchObject({
      model: undefined,
      workspace: base.agents.defaults.workspace,
    });
    const detailed = withTools({}, [{ id: "helper", model: { primary: "a/b" } }]);
    expect(agentSettings(detailed, "helper").model).toBe("a/b");
  });

  it("X7 are lowered by the preset seed, for the terminal and Telegram alone; a turn's own limit wins", () => {
    const seed = { preset: "seed" } as const;
    const most = { toolMaxSteps: 50 };
    expect(stepLimit({}, most, { channel: "cli", attended: "once" })).toBe(50);
    expect(stepLimit(seed, most, { channel: "cli", attended: "once" })).toBe(3);
    expect(stepLimit(seed, most, { channel: "cli", attended: "wait" })).toBe(5);
    expect(stepLimit(seed, most, { channel: "telegram" })).toBe(5);
    expect(stepLimit(seed, most, { channel: "web" })).toBe(50);
    expect(stepLimit(seed, { toolMaxSteps: 2 }, { channel: "telegram" })).toBe(2);
    expect(stepLimit(seed, most, { channel: "telegram", maxSteps: 9 })).toBe(9);
  });

  it("add its own denials to the general ones", () => {
    const config = withTools({ deny: ["group:fs"] }, [{ id: "helper", tools: { deny: ["time_now"] } }]);
    expect(access(config, "helper", ["time_now"])).toMatchObject({
      allowed: false,
      reasons: [{ code: "denied-by", values: { source: "agents.list[helper].tools.deny" } }],
    });
    expect(access(config, "helper", ["read", "group:fs"])).toMatchObject({
      allowed: false,
      reasons: [{ code: "denied-by", values: { source: "tools.deny" } }],
    });
    expect(access(config, "main", ["time_now"]).allowed).toBe(true);
  });

  it("TOOL-12 keep to the profile, and an unknown profile allows nothing", () => {
    const tools = [
      ["session_status", "group:sessions"],
      ["sessions_send", "group:sessions"],
      ["message", "group:messaging"],
      ["read", "group:fs"],
      ["exec", "group:runtime"],
      ["web_fetch", "group:web"],
    ];
    const allowed = (profile: NonNullable<Config["tools"]["profile"]>) =>
      tools.filter((names) => access(withTools({ profile }), "main", names).allowed).map(([name]) => name);
    expect(allowed("minimal")).toEqual(["session_status"]);
    expect(allowed("coding")).toEqual(["read", "exec"]);
    expect(allowed("messaging")).toEqual(["session_status", "sessions_send", "message"]);
    expect(allowed("full")).toEqual(tools.map(([name]) => name));
    const odd = withTools({}, [{ id: "helper", tools: { profile: "codding" } }]);
    expect(access(odd, "helper", ["read", "group:fs"]).allowed).toBe(false);
  });

  it("tell which names in the rules mean nothing", () => {
    const tools = createToolSet([createEchoTool()]);
    const config = withTools({ deny: ["tools.echo", "exec", "group:web", "tiem_now"] }, [
      { id: "helper", tools: { allow: ["ech"] } },
    ]);
    expect(unknownToolNames(config, tools)).toEqual(["tiem_now", "ech"]);
  });

  it("tell which names mean nothing where tools are shown to some only, or left out of a context", () => {
    const tools = createToolSet([createEchoTool()]);
    const visibility = [{ tools: ["tools_echo", "group:fs", "tools_ehco"], roles: ["owner"] }];
    const config = withTools({ visibility }, [
      { id: "helper", context: { strategy: "custom", includeTools: ["tools_ecoh"] } },
    ]);
    const { defaults } = config.agents;
    const context = { ...defaults.context, excludeTools: ["exce"] };
    const agents = { ...config.agents, defaults: { ...defaults, context } };
    expect(unknownToolNames({ ...config, agents }, tools)).toEqual(["tools_ehco", "exce", "tools_ecoh"]);
  });
});
