/** The settings of one agent: the defaults overridden by its own, and the rules for its tools. */
import type { PromptFacts } from "./prompt/prompt.ts";
import type { Config } from "../config/schema.ts";
import { modelChoiceOf } from "../models/model-choice.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import { isReservedName, namesInProfile } from "../policy/tool-groups.ts";
import type { ToolSet } from "../tools/tool-set.ts";
import { searchSettings } from "../memory/following/search-settings.ts";
import { contextSettings } from "./context/context-settings.ts";

export interface AgentSettings {
  /** The model to ask first. */
  model: string | undefined;
  thinking: Defaults["thinkingDefault"];
  reasoning: Defaults["reasoningDefault"];
  blockBreak: Defaults["blockStreamingBreak"];
  identity: PromptFacts["identity"];
  workspace: string;
  systemPrompt: string | undefined;
  maxContextMessages: number;
  toolMaxSteps: number;
  maxRepeatedCalls: number;
  maxAnswerCharacters: number;
  toolRules: ToolRule[];
  /** How far file tools reach. */
  reach: "workdir" | "everywhere";
}

type Defaults = Config["agents"]["defaults"];

export function agentSettings(config: Config, agentId: string): AgentSettings {
  const { defaults, list } = config.agents;
  const agent = list.find((each) => each.id === agentId);
  return {
    model: modelChoiceOf(config.agents, agentId).primary,
    thinking: agent?.thinkingDefault ?? defaults.thinkingDefault,
    reasoning: agent?.reasoningDefault ?? defaults.reasoningDefault,
    blockBreak: agent?.blockStreamingBreak ?? defaults.blockStreamingBreak,
    identity: { name: agent?.identity?.name ?? agent?.name, user: agent?.identity?.user },
    workspace: agent?.workspace ?? defaults.workspace,
    systemPrompt: agent?.systemPrompt ?? defaults.systemPrompt,
    maxContextMessages: agent?.maxContextMessages ?? defaults.maxContextMessages,
    toolMaxSteps: agent?.toolMaxSteps ?? defaults.toolMaxSteps,
    maxRepeatedCalls: agent?.maxRepeatedCalls ?? defaults.maxRepeatedCalls,
    maxAnswerCharacters: defaults.maxAnswerCharacters,
    reach: (agent?.restrictToWorkspace ?? defaults.restrictToWorkspace) ? "workdir" : "everywhere",
    toolRules: [
      ...(searchSettings(config, agentId).enabled ? [] : [withoutSearch]),
      ...rulesOf("tools", config.tools),
      ...rulesOf(`agents.list[${agentId}].tools`, agent?.tools ?? {}),
    ],
  };
}

/** What a turn may say about its own limit. */
interface StepWish {
  channel: string;
  attended?: "wait" | "once" | undefined;
  maxSteps?: number | undefined;
}

/** Rounds of tool calls of one turn. A turn's own wish wins; the preset only lowers what the agent has. */
export function stepLimit(
  { preset }: Pick<Config, "preset">,
  { toolMaxSteps }: Pick<AgentSettings, "toolMaxSteps">,
  { channel, attended, maxSteps }: StepWish,
): number {
  if (maxSteps !== undefined) return maxSteps;
  if (preset !== "seed") return toolMaxSteps;
  if (channel === "cli") return Math.min(toolMaxSteps, attended === "once" ? 3 : 5);
  return channel === "telegram" ? Math.min(toolMaxSteps, 5) : toolMaxSteps;
}

const withoutSearch: ToolRule = {
  type: "deny",
  source: "memorySearch.enabled",
  names: ["memory_search", "memory_get"],
};

function rulesOf(
  source: string,
  section: { profile?: string; allow?: string[]; deny?: string[] },
): ToolRule[] {
  const { profile, allow = [], deny = [] } = section;
  // A profile that nobody knows allows nothing: its name stands in for the list it should have been.
  const named = profile === undefined ? [] : (namesInProfile(profile) ?? [profile]);
  return [
    { type: "deny", source: `${source}.deny`, names: deny },
    { type: "only", source: `${source}.profile`, names: named },
    { type: "only", source: `${source}.allow`, names: allow },
  ];
}

/** Names in the config that mean no tool and no group: a slip there would leave a tool to somebody who was meant not to have it. */
export function unknownToolNames(config: Config, tools: ToolSet): string[] {
  const ids = ["", ...config.agents.list.map((agent) => agent.id)];
  const rules = ids.flatMap((id) => agentSettings(config, id).toolRules);
  const contexts = ids.map((id) => contextSettings(config, id).options);
  const names = [
    ...rules.filter((rule) => !rule.source.endsWith(".profile")).flatMap((rule) => rule.names),
    ...config.tools.visibility.flatMap((entry) => entry.tools),
    ...Object.keys(config.tools.modes),
    ...Object.values(config.tools.sessions).flatMap(({ allow = [], deny = [] }) => [...allow, ...deny]),
    ...config.tools.sensitive.deny,
    ...contexts.flatMap(({ includeTools, excludeTools }) => [...includeTools, ...excludeTools]),
  ];
  return [...new Set(names)].filter((name) => !tools.find(name) && !isReservedName(name));
}
