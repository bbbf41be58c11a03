/** What a turn is run with: model, tools and limits, from the config as it is now and the wishes of whoever started the turn. */
import type { Model, Tool } from "@pincer/sdk";
import { buildSystemPrompt } from "../../agent/system-prompt.ts";
import type { TurnSetup } from "../../agent/turn-runner.ts";
import { merge } from "../../config/config-layers.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { findModel, requestedModel } from "../../models/choose-model.ts";
import type { ToolRule } from "../../policy/tool-access.ts";
import type { TurnRecord } from "../../storage/turns.ts";
import { createToolExecutor, type ToolExecutor } from "../../tools/tool-executor.ts";
import type { ToolSet } from "../../tools/tool-set.ts";
import { agentSettings } from "../agent-settings.ts";
import { createBuiltInTools } from "../built-in-tools.ts";
import { gateTools } from "../gated-tools.ts";
import { prepareWorkdir } from "../prepare-workdir.ts";

/** What whoever started a turn wants of it; kept with the turn, so that it goes on the same way after a crash. */
export interface TurnWishes {
  provider?: string;
  model?: string;
  credential?: string;
  newSession?: boolean;
  memory?: boolean;
  /** Without `maxSteps` the agent's own limit holds. */
  tools?: { enabled: boolean; allow: string[]; maxSteps?: number };
  /** Instead of the agent's own. */
  workdir?: string;
}

export interface TurnSetupParts {
  config(): Config;
  clock: Clock;
  say: Say;
  notify(message: string): void;
  environment: Record<string, string | undefined>;
  homeRoot: string;
  cwd: string;
  models: readonly Model[];
  extraTools: readonly Tool[];
}

export interface TurnSetups {
  /** Throws PincerError for a wish that cannot be met; asked before a turn is queued. Answers where it will work. */
  check(agentId: string, wishes: TurnWishes): { workdir: string };
  /** Throws PincerError likewise: the config may have changed since. */
  setUp(agentId: string, wishes: TurnWishes, sessionKey: string): TurnSetup;
  /** For a turn from a channel: what the gateway's layers say. */
  wishesOf(channel: string): TurnWishes;
}

export const wishesOf = (turn: Pick<TurnRecord, "options">): TurnWishes => turn.options;

export function createTurnSetups(parts: TurnSetupParts): TurnSetups {
  const { clock, say, models } = parts;
  const [standing] = models;
  if (!standing) throw new Error("there is always a model");
  /** By workdir: the checks of their arguments are worth keeping. */
  const toolSets = new Map<string, { tools: ToolSet; executor: ToolExecutor }>();

  const workdirOf = (agentId: string, { workdir }: TurnWishes) =>
    prepareWorkdir({
      flag: workdir,
      configured: agentSettings(parts.config(), agentId).workspace,
      cwd: parts.cwd,
      environment: parts.environment,
      homeRoot: parts.homeRoot,
    });

  function chooseModel(agentId: string, wishes: TurnWishes): Model {
    const requested = requestedModel(wishes, models);
    if (requested) return requested;
    const reference = agentSettings(parts.config(), agentId).model;
    const configured = reference ? findModel(reference, models) : standing;
    if (!configured) parts.notify(say("model.not-available", { reference: reference ?? "" }));
    return configured ?? (standing as Model);
  }

  function toolsIn(workdir: string, wishes: TurnWishes) {
    let bound = toolSets.get(workdir);
    if (!bound) {
      const tools = createBuiltInTools({ clock, workdir, homeRoot: parts.homeRoot }, parts.extraTools);
      bound = { tools, executor: createToolExecutor({ tools, clock }) };
      if (toolSets.size >= mostWorkdirs) toolSets.clear();
      toolSets.set(workdir, bound);
    }
    const { tools } = bound;
    const missing = (wishes.tools?.allow ?? []).filter((name) => !tools.find(name));
    if (missing.length > 0) throw noSuchTools(missing);
    return bound;
  }

  return {
    check(agentId, wishes) {
      requestedModel(wishes, models);
      const workdir = workdirOf(agentId, wishes);
      toolsIn(workdir, wishes);
      return { workdir };
    },
    setUp(agentId, wishes, sessionKey) {
      const settings = agentSettings(parts.config(), agentId);
      const model = chooseModel(agentId, wishes);
      const bound = toolsIn(workdirOf(agentId, wishes), wishes);
      const rules = [...runRules(wishes, say), ...settings.toolRules];
      return {
        model,
        tools: gateTools(bound, rules, sessionKey),
        systemPrompt: buildSystemPrompt(settings.systemPrompt),
        maxSteps: wishes.tools?.maxSteps ?? settings.toolMaxSteps,
        maxContextMessages: settings.maxContextMessages,
      };
    },
    wishesOf(channel) {
      const { default: all, channels } = parts.config().gateway;
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

const mostWorkdirs = 64;

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
