/** Tools for people and scripts: what there is, what it takes, and running one, without a session. */
import { existsSync } from "node:fs";
import type { Tool, ToolResult } from "@pincer/sdk";
import { systemClock } from "../infra/clock.ts";
import { failure } from "../infra/failure.ts";
import { standingRules } from "../policy/rules/standing-rules.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { agentSettings, defaultAgentOf, unknownToolNames } from "./agent-settings.ts";
import { createWorkroom } from "./agents/workroom.ts";
import { createBuiltInTools, type Recall } from "./built-in-tools.ts";
import { contextSettings } from "./context/context-settings.ts";
import type { Desk } from "./desks/desk.ts";
import { openDesk, type DeskParts } from "./desks/open-desk.ts";
import { openFoundation } from "./foundation.ts";
import { accessTo, gateTools, unreadable } from "./gated-tools.ts";
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
  /** Never throws; the owner at the terminal may run what neither config nor a standing rule denies. */
  invoke(name: string, args: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export async function openToolDesk(
  parts: DeskParts,
  options: { workdir?: string; configProfile?: string },
): Promise<ToolDesk> {
  const { home, loaded } = await openFoundation({ ...parts, configProfile: options.configProfile });
  const { config } = loaded;
  const agentId = defaultAgentOf(config);
  const { workspace, toolRules } = agentSettings(config, agentId);
  // What is to be told about the home has been told.
  const profile = { ...parts, configProfile: options.configProfile, notify: () => {} };
  const rules = [...toolRules, ...(existsSync(home.coreDb) ? await standingFor(agentId, profile) : [])];
  const { timezone, memory } = contextSettings(config, agentId);
  const workdir = prepareWorkdir({
    flag: options.workdir,
    configured: workspace,
    cwd: parts.cwd,
    environment: parts.environment,
    homeRoot: home.root,
  });
  const { layout } = memory;
  const workroom = createWorkroom({ workdir, homeRoot: home.root, clock: systemClock, timezone, layout });
  const recall: Recall = {
    search: ({ text, limit }) => atMemory(profile, (desk) => desk.search({ agentId, text, limit })),
    get: ({ path, startLine, endLine }) =>
      atMemory(profile, (desk) =>
        desk.get({
          agentId,
          path,
          ...(startLine === undefined ? {} : { startLine }),
          ...(endLine === undefined ? {} : { endLine }),
        }),
      ),
  };
  const tools = createBuiltInTools({ clock: systemClock, workroom, recall });
  const executor = createToolExecutor({ tools, clock: systemClock });
  for (const name of unknownToolNames(config, tools)) parts.notify(parts.say("tools.unknown-rule", { name }));
  const place = { channel: "cli", chatType: "main" as const, userRoles: ["owner"], sessionKey: "", agentId };
  const facts = (tool: Tool): ToolFacts => ({
    name: tool.name,
    aliases: tool.aliases,
    effect: tool.effect,
    description: tool.description,
    input: tool.input,
    access: accessTo(tool, rules, { place }),
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
      return gateTools({ tools, executor }, rules, { sessionKey: "", visibility: place, workdir }).call(
        call,
        signal,
      );
    },
  };
}

/** The index is the gateway's while one runs. */
async function atMemory<Result>(
  parts: DeskParts,
  work: (desk: Desk<"memory">) => Promise<Result>,
): Promise<Result> {
  const { desk, close } = await openDesk("memory", parts);
  try {
    return await work(desk);
  } finally {
    await close();
  }
}

/** Where they cannot be read, nothing may run, and the reason says so. */
async function standingFor(agentId: string, parts: DeskParts): Promise<ToolRule[]> {
  try {
    const { desk, close } = await openDesk("rules", parts);
    try {
      return standingRules((await desk.list({ agentId })).rules);
    } finally {
      await close();
    }
  } catch (error) {
    return [{ type: "off", source: unreadable(error).reason, names: [] }];
  }
}
