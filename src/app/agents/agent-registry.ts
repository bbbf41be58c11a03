/**
 * The agents there are, each with what is its own: where it works, what it may use, what it is told about itself. An agent is made when it is
 * first needed and stays the same until the config changes.
 */
import type { Tool } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { createToolExecutor, type ToolExecutor } from "../../tools/tool-executor.ts";
import type { ToolSet } from "../../tools/tool-set.ts";
import { agentSettings, type AgentSettings } from "../agent-settings.ts";
import type { ResultReadParts } from "../../tools/result-read.ts";
import { createBuiltInTools, type Recall } from "../built-in-tools.ts";
import { contextSettings, type ContextSettings } from "../context/context-settings.ts";
import { prepareWorkdir } from "../prepare-workdir.ts";
import { createWorkroom, type Workroom } from "./workroom.ts";

export interface AgentTools {
  tools: ToolSet;
  executor: ToolExecutor;
  workroom: Workroom;
}

export interface AgentInstance {
  agentId: string;
  settings: AgentSettings;
  context: ContextSettings;
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
  readResult?: ResultReadParts["read"];
  recall?: Recall;
}

const mostWorkdirs = 64;

export function createAgentRegistry(parts: AgentRegistryParts): AgentRegistry {
  const { clock, home } = parts;
  let made = { config: parts.config(), agents: new Map<string, AgentInstance>() };
  /** By workdir and what holds for its memory, and shared by all: the checks of their arguments are worth keeping. */
  const toolSets = new Map<string, AgentTools>();

  function toolsIn(workdir: string, { timezone, memory: { layout } }: ContextSettings): AgentTools {
    const name = JSON.stringify([workdir, timezone, layout]);
    const known = toolSets.get(name);
    if (known) return known;
    const workroom = createWorkroom({ workdir, homeRoot: home.root, clock, timezone, layout });
    const { readResult, extraTools } = parts;
    const tools = createBuiltInTools({ clock, workroom, readResult, recall: parts.recall }, extraTools);
    const bound = { tools, executor: createToolExecutor({ tools, clock }), workroom };
    if (toolSets.size >= mostWorkdirs) toolSets.clear();
    toolSets.set(name, bound);
    return bound;
  }

  function make(config: Config, agentId: string): AgentInstance {
    const settings = agentSettings(config, agentId);
    const context = contextSettings(config, agentId);
    return {
      agentId,
      settings,
      context,
      workdir: (flag) =>
        prepareWorkdir({
          flag,
          configured: settings.workspace,
          cwd: parts.cwd,
          environment: parts.environment,
          homeRoot: home.root,
        }),
      toolsIn: (workdir) => toolsIn(workdir, context),
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
