/**
 * The composition root and table of contents: the parts of Pincer, built from the ground up and closed in
 * reverse. Everything that a turn needs is made here and handed in by name.
 */
import { describeProblem } from "../config/loaded-config.ts";
import type { ConfigEvent } from "../config/watch-config.ts";
import type { Say } from "../infra/texts.ts";
import { chooseModel } from "../models/choose-model.ts";
import { withManualToolCalls } from "../models/manual-tool-calls.ts";
import { createStubModel } from "../models/stub-model.ts";
import { buildSystemPrompt } from "../agent/system-prompt.ts";
import { routeMessage } from "../routing/route-message.ts";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { createAsk, type Ask } from "./ask.ts";
import { createBuiltInTools } from "./built-in-tools.ts";
import { gateTools } from "./gated-tools.ts";
import { openGround, type GroundOptions, type GroundParts } from "./open-ground.ts";

export interface App {
  ask: Ask;
  /** What the user should know before anything else. */
  notices: string[];
  workdir: string;
  /** How many rounds of tool calls a turn may have where the command does not say. */
  toolMaxSteps(): number;
  /** Applies changes of the config from now on and tells each in words; the answer stops it. */
  watchConfig(tell: (message: string) => void): Promise<() => Promise<void>>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export async function createApp(parts: GroundParts, options: GroundOptions): Promise<App> {
  const ground = await openGround(parts, options);
  const { clock, ids, workdir, tenantId, workspaceId, stores } = ground;
  const { say, redactor } = parts;

  let { config } = ground;
  const tools = createBuiltInTools({ clock, workdir });
  const executor = createToolExecutor({ tools, clock });
  const models = [withManualToolCalls(createStubModel(say), () => ids.make("call"))];

  const ask = createAsk({
    clock,
    ids,
    workdir,
    stores,
    leases: ground.leases,
    mirror: ground.mirror,
    redact: redactor.data,
    settings() {
      const { systemPrompt, maxContextMessages } = config.agents.defaults;
      return { systemPrompt: buildSystemPrompt(systemPrompt), maxContextMessages };
    },
    texts: {
      stepLimit: (steps) => say("turn.step-limit", { steps }),
      modelFailed: (reason) => say("turn.model-failed", { reason }),
      aborted: () => say("turn.aborted"),
      waiting: (pid, since) => say("turn.waiting", { pid, since }),
      failed: (error) => [error.message, error.hint].filter(Boolean).join("\n"),
    },
    route: (request) =>
      routeMessage(request, {
        tenantId,
        workspaceId,
        defaultAgentId: ground.defaultAgentId,
        agentIds: config.agents.list.map((agent) => agent.id),
      }),
    chooseModel: (request) =>
      chooseModel({ ...request, ...configuredModel(config.agents.defaults.model?.primary) }, models),
    toolsFor: (request, route) =>
      gateTools(
        { tools, executor },
        {
          enabled: request.tools.enabled,
          runAllow: request.tools.allow,
          allow: config.tools.allow,
          deny: config.tools.deny,
        },
        route.sessionKey,
      ),
  });

  return {
    ask,
    notices: ground.notices,
    workdir,
    toolMaxSteps: () => config.agents.defaults.toolMaxSteps,
    async watchConfig(tell) {
      const { watchConfig } = await import("../config/watch-config.ts");
      const { request, loaded } = ground.foundation;
      const watch = await watchConfig({
        request,
        loaded,
        clock,
        onEvent(event) {
          if (event.type === "applied") config = event.loaded.config;
          tell(describeConfigEvent(event, say));
        },
      });
      return watch.close;
    },
    close: ground.close,
  };
}

function describeConfigEvent(event: ConfigEvent, say: Say): string {
  if (event.type === "rejected") {
    return say("chat.config-rejected", { problem: event.problems.map(describeProblem).join("; ") });
  }
  const changes = event.changes.map(({ path, after }) => `${path} = ${JSON.stringify(after) ?? "default"}`);
  return say("chat.config-applied", { changes: changes.join(", ") });
}

const configuredModel = (reference: string | undefined) => (reference ? { configured: reference } : {});
