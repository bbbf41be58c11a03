/**
 * The agents there are, each with what is its own: where it works, what it may use, what it is told about itself. An agent is made when it is
 * first needed and stays the same until the config changes.
 */
import type { Tool } from "@pincer/sdk";
import { buildSystemPrompt } from "../../agent/system-prompt.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { createToolExecutor, type ToolExecutor } from "../../tools/tool-executor.ts";
import type { ToolSet } from "../../tools/tool-set.ts";
import { agentSettings, type AgentSettings } from "../agent-settings.ts";
import { createBuiltInTools } from "../built-in-tools.ts";
import { prepareWorkdir } from "../prepare-workdir.ts";

export interface AgentTools {
  tools: ToolSet;
  executor: ToolExecutor;
}

export interface AgentInstance {
  agentId: string;
  settings: AgentSettings;
  systemPrompt: string;
  /** Where it works, made if need be; a flag names another place for one run. Throws PincerError. */
  workdir(flag?: string): string;
  /** The tools as they work there. */
  toolsIn(workdir: string): AgentTools;
}

export interface AgentRegistry {
  /** Whatever the name: one that the config does not list is made of the defaults. */
  get(agentId: string): AgentInstance;
}

export interface AgentRegistryParts {
  config(): Config;
  clock: Clock;
  environment: Record<string, string | undefined>;
  home: { root: string };
  cwd: string;
  extraTools: readonly Tool[];
}

const mostWorkdirs = 64;

export function createAgentRegistry(parts: AgentRegistryParts): AgentRegistry {
  const { clock, home } = parts;
  let made = { config: parts.config(), agents: new Map<string, AgentInstance>() };
  /** By workdir and shared by all: the checks of their arguments are worth keeping. */
  const toolSets = new Map<string, AgentTools>();

  function toolsIn(workdir: string): AgentTools {
    const known = toolSets.get(workdir);
    if (known) return known;
    const tools = createBuiltInTools({ clock, workdir, homeRoot: home.root }, parts.extraTools);
    const bound = { tools, executor: createToolExecutor({ tools, clock }) };
    if (toolSets.size >= mostWorkdirs) toolSets.clear();
    toolSets.set(workdir, bound);
    return bound;
  }

  function make(config: Config, agentId: string): AgentInstance {
    const settings = agentSettings(config, agentId);
    return {
      agentId,
      settings,
      systemPrompt: buildSystemPrompt(settings.identity, settings.systemPrompt),
      workdir: (flag) =>
        prepareWorkdir({
          flag,
          configured: settings.workspace,
          cwd: parts.cwd,
          environment: parts.environment,
          homeRoot: home.root,
        }),
      toolsIn,
    };
  }

  return {
    get(agentId) {
      const config = parts.config();
      if (config !== made.config) made = { config, agents: new Map() };
      const known = made.agents.get(agentId);
      if (known) return known;
      const agent = make(config, agentId);
      made.agents.set(agentId, agent);
      return agent;
    },
  };
}
