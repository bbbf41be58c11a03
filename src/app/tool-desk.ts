/** Tools for people and scripts: what there is, what it takes, and running one, without a session. */
import type { Tool, ToolResult } from "@pincer/sdk";
import { systemClock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { agentSettings, defaultAgentOf, unknownToolNames } from "./agent-settings.ts";
import { createBuiltInTools } from "./built-in-tools.ts";
import { openFoundation, type FoundationParts } from "./foundation.ts";
import { accessTo, gateTools } from "./gated-tools.ts";
import { prepareWorkdir } from "./prepare-workdir.ts";

export interface ToolFacts {
  name: string;
  aliases: readonly string[];
  effect: string;
  description: string;
  input: object;
  access: { allowed: boolean; reason: string };
}

export interface ToolDesk {
  list(): ToolFacts[];
  /** Throws PincerError `tool/not-found`. */
  info(name: string): ToolFacts;
  /** Never throws; the owner at the terminal may run what config does not deny. */
  invoke(name: string, args: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export async function openToolDesk(
  parts: FoundationParts & { cwd: string },
  options: { workdir?: string; configProfile?: string },
): Promise<ToolDesk> {
  const { home, loaded } = await openFoundation({ ...parts, configProfile: options.configProfile });
  const { config } = loaded;
  const { workspace, toolRules } = agentSettings(config, defaultAgentOf(config));
  const workdir = prepareWorkdir({
    flag: options.workdir,
    configured: workspace,
    cwd: parts.cwd,
    environment: parts.environment,
    homeRoot: home.root,
  });
  const tools = createBuiltInTools({ clock: systemClock, workdir, homeRoot: home.root });
  const executor = createToolExecutor({ tools, clock: systemClock });
  for (const name of unknownToolNames(config, tools)) parts.notify(parts.say("tools.unknown-rule", { name }));
  const facts = (tool: Tool): ToolFacts => ({
    name: tool.name,
    aliases: tool.aliases,
    effect: tool.effect,
    description: tool.description,
    input: tool.input,
    access: accessTo(tool, toolRules),
  });

  return {
    list: () => tools.all().map(facts),
    info(name) {
      const tool = tools.find(name);
      if (tool) return facts(tool);
      throw failure("tool/not-found", "failure.no-tool", { name }, { hint: "failure.no-tool.hint" });
    },
    invoke(name, args, signal) {
      const block = { type: "toolCall" as const, id: "manual", name, arguments: {} };
      const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
      const call = isObject
        ? { ...block, arguments: args as Record<string, unknown> }
        : { ...block, invalidArguments: JSON.stringify(args) };
      return gateTools({ tools, executor }, toolRules, { sessionKey: "" }).call(call, signal);
    },
  };
}
