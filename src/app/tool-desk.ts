/** Tools for people and scripts: what there is, what it takes, and running one, without a session. */
import { PincerError, type Tool, type ToolResult } from "@pincer/sdk";
import { systemClock } from "../infra/clock.ts";
import { decideToolAccess } from "../policy/tool-access.ts";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { createBuiltInTools } from "./built-in-tools.ts";
import { openFoundation, type FoundationParts } from "./foundation.ts";
import { gateTools } from "./gated-tools.ts";
import { locateWorkdir } from "./locate-workdir.ts";

export interface ToolFacts {
  name: string;
  aliases: readonly string[];
  effect: string;
  description: string;
  input: object;
  access: { allowed: boolean; reason: string };
}

export interface ToolDesk {
  notices: string[];
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
  const { home, loaded, notices } = await openFoundation({
    ...parts,
    ...(options.configProfile ? { configProfile: options.configProfile } : {}),
  });
  const { allow, deny } = loaded.config.tools;
  const rules = { enabled: true, runAllow: [], allow, deny };
  const workdir = locateWorkdir({
    flag: options.workdir,
    configured: loaded.config.agents.defaults.workspace,
    cwd: parts.cwd,
    environment: parts.environment,
    homeRoot: home.root,
  });
  const tools = createBuiltInTools({ clock: systemClock, workdir });
  const executor = createToolExecutor({ tools, clock: systemClock });
  const facts = (tool: Tool): ToolFacts => ({
    name: tool.name,
    aliases: tool.aliases,
    effect: tool.effect,
    description: tool.description,
    input: tool.input,
    access: decideToolAccess([tool.name, ...tool.aliases], rules),
  });

  return {
    notices,
    list: () => tools.all().map(facts),
    info(name) {
      const tool = tools.find(name);
      if (tool) return facts(tool);
      throw new PincerError("tool/not-found", `There is no tool ${name}.`, {
        hint: "`pincer tools list` shows what there is.",
      });
    },
    invoke: (name, args, signal) => {
      const block = { type: "toolCall" as const, id: "manual", name, arguments: {} };
      const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
      const call = isObject
        ? { ...block, arguments: args as Record<string, unknown> }
        : { ...block, invalidArguments: JSON.stringify(args) };
      return gateTools({ tools, executor }, rules, "").call(call, signal);
    },
  };
}
