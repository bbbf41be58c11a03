/**
 * The agents, each with its own workdir, tools and prompt. An agent is created at first use and stays the same until
 * the config changes.
 */
import type { MediaStore, Tool } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { ProgramSpans } from "../../sandbox/programs/program.ts";
import { createWorkdirRegistry, type WorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import type { ConversationAccess } from "../../tools/conversation/conversation-access.ts";
import { createToolExecutor, type ToolExecutor } from "../../tools/tool-executor.ts";
import { createToolSet, type ToolSet } from "../../tools/tool-set.ts";
import type { SendScout } from "../../tools/web/research.ts";
import { agentSettings, type AgentSettings } from "../agent-settings.ts";
import { defaultAgentOf } from "../../config/default-agent.ts";
import type { ResultReader } from "../context/result-reader.ts";
import { createBuiltInTools, type Recall } from "../built-in-tools.ts";
import { contextSettings, type ContextSettings } from "../context/context-settings.ts";
import { whileNoted } from "../effects/while-noted.ts";
import type { Effects } from "../effects/effects.ts";
import { noEffects } from "../effects/no-effects.ts";
import { locateWorkdir } from "../../config/locate-workdir.ts";
import { noteWorkdirs, prepareWorkdir, type WorkdirPlace } from "../../sandbox/prepare-workdir.ts";
import { createAgentWorkspace, type AgentLabels, type AgentWorkspace } from "./agent-workspace.ts";

export interface AgentTools {
  tools: ToolSet;
  executor: ToolExecutor;
  agentWorkspace: AgentWorkspace;
}

export type ScoutTools = Pick<AgentTools, "tools" | "executor">;

export interface AgentInstance {
  agentId: string;
  settings: AgentSettings;
  context: ContextSettings;
  /** Where it works, whether it is there or not. */
  workdirPath(): string;
  /** Where it works, made if need be; a flag names another place for one run. Throws PincerError. */
  workdir(flag?: string): string;
  /** The tools as they work there. */
  toolsIn(workdir: string): AgentTools;
  /** Those of its scouts. */
  scoutTools(): ScoutTools;
}

export interface AgentRegistry {
  /** Those that the config names, the default one first. */
  named(): AgentInstance[];
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
  stored?: ResultReader;
  recall?: Recall;
  media?: Pick<MediaStore, "store"> | undefined;
  /** Other conversations, and people to write to; left out where there are no sessions. */
  conversation?: ConversationAccess | undefined;
  /** Left out where nothing reaches beyond words. */
  effects?: Pick<Effects, "toolsIn" | "scoutTools" | "stamp"> | undefined;
  /** Left out where no turns are run. */
  sendScout?: SendScout | undefined;
  /** What is known of files, and when others than our tools may change them; left out where nothing is stored. */
  labels?: (AgentLabels & { spans: ProgramSpans }) | undefined;
  /** Shared with whatever else works in these workdirs. */
  keeper?: WorkdirRegistry | undefined;
}

const mostWorkdirs = 64;

/** A workdir under the name of the tools that work there. */
interface NamedPlace {
  workdir: string;
  stamp: string;
  name: string;
}

export function createAgentRegistry(parts: AgentRegistryParts): AgentRegistry {
  const { clock, home, labels, effects = noEffects, keeper = createWorkdirRegistry() } = parts;
  let made = startWith(parts.config());
  /** By workdir and what holds for its memory, and shared by all: the checks of their arguments are worth keeping. */
  const toolSets = new Map<string, AgentTools>();

  function toolsIn(
    { workdir, name }: NamedPlace,
    reach: AgentSettings["reach"],
    { timezone, memory: { layout } }: ContextSettings,
  ): AgentTools {
    const known = toolSets.get(name);
    if (known) return known;
    const agentWorkspace = createAgentWorkspace({
      workdir,
      homeRoot: home.root,
      reach,
      clock,
      timezone,
      layout,
      keeper,
      labels,
    });
    const { stored, recall, media, conversation, extraTools, sendScout } = parts;
    const tools = createBuiltInTools(
      { clock, agentWorkspace, stored, recall, media, conversation, labels: labels?.files },
      [
        ...effects.toolsIn(workdir, sendScout),
        ...extraTools.map((tool) => (labels ? whileNoted(tool, labels.spans, workdir) : tool)),
      ],
    );
    const bound = { tools, executor: createToolExecutor({ tools, clock }), agentWorkspace };
    if (toolSets.size >= mostWorkdirs) toolSets.clear();
    toolSets.set(name, bound);
    return bound;
  }

  let scouts: { stamp: string; bound: ScoutTools } | undefined;
  function scouting(): ScoutTools {
    const stamp = effects.stamp();
    if (scouts?.stamp === stamp) return scouts.bound;
    const tools = createToolSet(effects.scoutTools());
    scouts = { stamp, bound: { tools, executor: createToolExecutor({ tools, clock }) } };
    return scouts.bound;
  }

  function make(config: Config, agentId: string): AgentInstance {
    const settings = agentSettings(config, agentId);
    const context = contextSettings(config, agentId);
    const { reach } = settings;
    const { timezone, memory } = context;
    let last: NamedPlace | undefined;
    /** Its name is made again only when it is another one: a turn asks twice. */
    function placed(workdir: string): NamedPlace {
      const stamp = effects.stamp();
      if (last?.workdir === workdir && last.stamp === stamp) return last;
      const name = JSON.stringify([workdir, timezone, memory.layout, reach, stamp]);
      return (last = { workdir, stamp, name });
    }
    return {
      agentId,
      settings,
      context,
      workdirPath: () => locateWorkdir(placeOf(settings)),
      workdir: (flag) => prepareWorkdir(placeOf(settings, flag)),
      toolsIn: (workdir) => toolsIn(placed(workdir), reach, context),
      scoutTools: scouting,
    };
  }

  function placeOf({ workspace: configured }: AgentSettings, flag?: string): WorkdirPlace {
    return { flag, configured, cwd: parts.cwd, environment: parts.environment, homeRoot: home.root };
  }

  function idsIn(config: Config): string[] {
    return [...new Set([defaultAgentOf(config), ...config.agents.list.map(({ id }) => id)])];
  }

  function startWith(config: Config) {
    noteWorkdirs(
      idsIn(config).map((id) => placeOf(agentSettings(config, id))),
      keeper,
    );
    return { config, agents: new Map<string, AgentInstance>() };
  }

  function get(agentId: string): AgentInstance {
    const config = parts.config();
    if (config !== made.config) made = startWith(config);
    const known = made.agents.get(agentId);
    if (known) return known;
    const agent = make(config, agentId);
    made.agents.set(agentId, agent);
    return agent;
  }

  return { get, named: () => idsIn(parts.config()).map(get) };
}
