/**
 * The composition root and table of contents: the parts of Pincer, built from the ground up and closed in
 * reverse. Everything that a turn needs is made here and handed in by name.
 */
import { buildSystemPrompt } from "../agent/system-prompt.ts";
import { sayProblem } from "../config/loaded-config.ts";
import type { ConfigEvent } from "../config/watch-config.ts";
import { failure, sayError } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { findModel, requestedModel } from "../models/choose-model.ts";
import { withManualToolCalls } from "../models/manual-tool-calls.ts";
import { createStubModel } from "../models/stub-model.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import { routeMessage } from "../routing/route-message.ts";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { agentSettings, unknownToolNames } from "./agent-settings.ts";
import { createAsk, type Ask, type AskRequest } from "./ask.ts";
import { createBuiltInTools } from "./built-in-tools.ts";
import { hideSecretsOf } from "./foundation.ts";
import { gateTools } from "./gated-tools.ts";
import { openGround, type Ground, type GroundOptions, type GroundParts } from "./open-ground.ts";
import { prepareWorkdir } from "./prepare-workdir.ts";

export interface App {
  ask: Ask;
  /** Where the default agent's tools work. */
  workdir: string;
  /** Applies changes of the config from now on and tells each in words; the answer stops it. */
  watchConfig(tell: (message: string) => void): Promise<() => Promise<void>>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

/** Throws PincerError; nothing stays open then. */
export async function createApp(parts: GroundParts, options: GroundOptions): Promise<App> {
  const ground = await openGround(parts, options);
  try {
    return buildApp(ground, parts, options);
  } catch (error) {
    await ground.close();
    throw error;
  }
}

function buildApp(ground: Ground, parts: GroundParts, options: GroundOptions): App {
  const { clock, ids, tenantId, workspaceId, stores } = ground;
  const { say, redactor, notify } = parts;
  let { config } = ground;

  const workdirOf = (agentId: string) =>
    prepareWorkdir({
      flag: options.workdir,
      configured: agentSettings(config, agentId).workspace,
      cwd: parts.cwd,
      environment: parts.environment,
      homeRoot: ground.home.root,
    });
  const toolsOf = (agentId: string) => {
    const tools = createBuiltInTools({ clock, workdir: workdirOf(agentId), homeRoot: ground.home.root });
    return { tools, executor: createToolExecutor({ tools, clock }) };
  };
  const stub = withManualToolCalls(createStubModel(say), () => ids.make("call"));
  const models = [stub];
  for (const name of unknownToolNames(config, toolsOf(ground.defaultAgentId).tools)) {
    notify(say("tools.unknown-rule", { name }));
  }

  const ask = createAsk({
    clock,
    ids,
    stores,
    leases: ground.leases,
    mirror: ground.mirror,
    redactor,
    texts: {
      stepLimit: (steps) => say("turn.step-limit", { steps }),
      modelFailed: (reason) => say("turn.model-failed", { reason }),
      aborted: () => say("turn.aborted"),
      waiting: (pid, since) => say("turn.waiting", { pid, since }),
      failed(error) {
        const { message, hint } = sayError(error, say);
        return [message, hint].filter(Boolean).join("\n");
      },
    },
    route: (request) =>
      routeMessage(request, {
        tenantId,
        workspaceId,
        defaultAgentId: ground.defaultAgentId,
        agentIds: config.agents.list.map((agent) => agent.id),
      }),
    settings({ agentId }) {
      const { systemPrompt, maxContextMessages, toolMaxSteps } = agentSettings(config, agentId);
      const workdir = workdirOf(agentId);
      return { systemPrompt: buildSystemPrompt(systemPrompt), maxContextMessages, toolMaxSteps, workdir };
    },
    chooseModel(request, { agentId }) {
      const requested = requestedModel(request, models);
      const reference = agentSettings(config, agentId).model;
      const configured = reference ? findModel(reference, models) : stub;
      if (!requested && !configured) notify(say("model.not-available", { reference: reference ?? "" }));
      return requested ?? configured ?? stub;
    },
    toolsFor(request, { agentId, sessionKey }) {
      const bound = toolsOf(agentId);
      const missing = request.tools.allow.filter((name) => !bound.tools.find(name));
      if (missing.length > 0) throw noSuchTools(missing);
      const rules = [...runRules(request, say), ...agentSettings(config, agentId).toolRules];
      return gateTools(bound, rules, sessionKey);
    },
  });

  return {
    ask,
    workdir: workdirOf(ground.defaultAgentId),
    async watchConfig(tell) {
      const { watchConfig } = await import("../config/watch-config.ts");
      const { request, loaded } = ground.foundation;
      const watch = await watchConfig({
        request,
        loaded,
        clock,
        onEvent(event) {
          if (event.type === "rejected") return tell(describeConfigEvent(event, say));
          config = event.loaded.config;
          parts.speak?.(config.language);
          // Hidden first, then shown: the message itself must not tell a new secret.
          void hideSecretsOf(event.loaded, redactor).then(() => tell(describeConfigEvent(event, say)));
        },
      });
      return watch.close;
    },
    close: ground.close,
  };
}

/** What this one run is limited to, whatever the config says besides. */
function runRules({ tools }: AskRequest, say: Say): ToolRule[] {
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

function describeConfigEvent(event: ConfigEvent, say: Say): string {
  if (event.type === "rejected") {
    return say("chat.config-rejected", {
      problem: event.problems.map((problem) => sayProblem(problem, say)).join("; "),
    });
  }
  const changes = event.changes.map(({ path, after }) => `${path} = ${JSON.stringify(after) ?? "default"}`);
  return say("chat.config-applied", { changes: changes.join(", ") });
}
