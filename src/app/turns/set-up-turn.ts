/** What a turn is run with: model, tools and limits, from the config as it is now and the wishes of whoever started the turn. */
import type { Model, ToolCallBlock } from "@pincer/sdk";
import type { TurnSetup } from "../../agent/turn-runner.ts";
import { merge } from "../../config/config-layers.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import type { ModelWish } from "../../models/choose-model.ts";
import type { ToolRule } from "../../policy/tool-access.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnRecord } from "../../storage/turns.ts";
import type { AgentInstance, AgentRegistry, AgentTools } from "../agents/agent-registry.ts";
import { gateTools } from "../gated-tools.ts";

/** What whoever started a turn wants of it; kept with the turn, so that it goes on the same way after a crash. */
export interface TurnWishes extends ModelWish {
  newSession?: boolean;
  memory?: boolean;
  /** Without `maxSteps` the agent's own limit holds. */
  tools?: { enabled: boolean; allow: string[]; maxSteps?: number };
  /** Instead of the agent's own. */
  workdir?: string;
}

/** Who answers a turn. */
export interface TurnModels {
  /** Throws PincerError `model/not-connected` for a wish that cannot be met. */
  check(agent: AgentInstance, wish: ModelWish): Promise<void>;
  /** Throws likewise; without a wish there is always one. */
  open(
    agent: AgentInstance,
    wish: ModelWish,
    turn: { turn: TurnRecord; session: SessionRecord },
  ): Promise<Model>;
}

export interface TurnSetupParts {
  config(): Config;
  agents: AgentRegistry;
  models: TurnModels;
  say: Say;
  /** Takes what a tool has to say after its turn went on. */
  late(turn: TurnRecord, call: ToolCallBlock, text: string, id: string): Promise<void>;
}

export interface TurnSetups {
  /** Throws PincerError for a wish that cannot be met; asked before a turn is queued. Answers where it will work. */
  check(agentId: string, wishes: TurnWishes): Promise<{ workdir: string }>;
  /** Throws PincerError likewise: the config may have changed since. */
  setUp(turn: TurnRecord, session: SessionRecord, wishes: TurnWishes): Promise<TurnSetup>;
  /** For a turn from a channel: what the gateway's layers say. */
  wishesOf(channel: string): TurnWishes;
  /** Where the agent works. Throws PincerError. */
  workdirOf(agentId: string): string;
}

export const wishesOf = (turn: Pick<TurnRecord, "options">): TurnWishes => turn.options;

export function createTurnSetups({ config, agents, models, say, late }: TurnSetupParts): TurnSetups {
  function place(
    agentId: string,
    wishes: TurnWishes,
  ): { agent: AgentInstance; workdir: string; bound: AgentTools } {
    const agent = agents.get(agentId);
    const workdir = agent.workdir(wishes.workdir);
    const bound = agent.toolsIn(workdir);
    const missing = (wishes.tools?.allow ?? []).filter((name) => !bound.tools.find(name));
    if (missing.length > 0) throw noSuchTools(missing);
    return { agent, workdir, bound };
  }

  return {
    workdirOf: (agentId) => agents.get(agentId).workdir(),
    async check(agentId, wishes) {
      const { agent, workdir } = place(agentId, wishes);
      await models.check(agent, wishes);
      return { workdir };
    },
    async setUp(turn, session, wishes) {
      const { sessionKey, destination } = turn;
      const { agent, bound } = place(turn.agentId, wishes);
      const { settings, systemPrompt } = agent;
      const rules = [...runRules(wishes, say), ...settings.toolRules];
      return {
        model: await models.open(agent, wishes, { turn, session }),
        tools: gateTools(bound, rules, {
          sessionKey,
          conversation: destination ?? undefined,
          later: (call, text, id) => late(turn, call, text, id),
        }),
        systemPrompt,
        maxSteps: wishes.tools?.maxSteps ?? settings.toolMaxSteps,
        maxRepeatedCalls: settings.maxRepeatedCalls,
        maxContextMessages: settings.maxContextMessages,
        voice: { reasoning: settings.reasoning, blockBreak: settings.blockBreak },
      };
    },
    wishesOf(channel) {
      const { default: all, channels } = config().gateway;
      const own = Object.hasOwn(channels, channel) ? channels[channel] : {};
      const layer = merge(all, own) as Config["gateway"]["default"];
      return {
        ...(layer.provider ? { provider: layer.provider } : {}),
        ...(layer.profile ? { credential: layer.profile } : {}),
        ...(layer.memory === undefined ? {} : { memory: layer.memory }),
        tools: {
          enabled: layer.withTools,
          allow: layer.toolAllow ?? [],
          ...(layer.toolMaxSteps === undefined ? {} : { maxSteps: layer.toolMaxSteps }),
        },
      };
    },
  };
}

/** What this one run is limited to, whatever the config says besides. */
function runRules({ tools }: TurnWishes, say: Say): ToolRule[] {
  if (!tools) return [];
  const only: ToolRule = { type: "only", source: "this run's --tool-allow", names: tools.allow };
  return tools.enabled ? [only] : [{ type: "off", source: say("tools.off"), names: [] }];
}

/** A slip in the list would allow less than was meant, and nobody would know why. */
const noSuchTools = (names: string[]) =>
  failure(
    "tool/not-found",
    "failure.no-tool-to-allow",
    { name: names.join(", ") },
    { hint: "failure.no-tool.hint" },
  );
