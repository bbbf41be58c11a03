/** Tools for people and scripts: listing them, explaining them, and running one without a session. */
import { existsSync } from "node:fs";
import { asPincerError, type GateReason, type Tool, type ToolResult, type ToolVisibility } from "@pincer/sdk";
import { systemClock } from "../infra/clock.ts";
import { failure, sayError } from "../infra/failure.ts";
import { createIds } from "../infra/ids.ts";
import { standingRules } from "../policy/rules/standing-rules.ts";
import { configRules, isSensitive } from "../policy/config-rules.ts";
import { decide } from "../policy/decide.ts";
import { gateReason } from "../infra/gate-reasons.ts";
import type { ToolRule } from "../policy/tool-access.ts";
import { createToolExecutor } from "../tools/tool-executor.ts";
import { agentSettings, unknownToolNames } from "../agent/agent-settings.ts";
import { defaultAgentOf } from "../config/default-agent.ts";
import { createMediaStore } from "../storage/media/media-store.ts";
import { createAgentWorkspace } from "../agent/agents/agent-workspace.ts";
import { createBuiltInTools, type Recall } from "../agent/built-in-tools.ts";
import { contextSettings } from "../agent/context/context-settings.ts";
import { lazyConversationAccess } from "../channels/conversation/lazy-conversation-access.ts";
import type { Api, OpenApi } from "../gateway/methods/api.ts";
import { connectToGateway } from "../gateway/connect-to-gateway.ts";
import { lazyLabels } from "../gate/labels/lazy-labels.ts";
import type { OpenHome, OpenHomeParts } from "../storage/home/open-home.ts";
import { openFoundation } from "../storage/home/foundation.ts";
import { gateTools, type CallPlace } from "../gate/gated-tools.ts";
import { manualCall } from "../gate/manual-call.ts";
import { openEffects } from "../agent/effects/open-effects.ts";
import { prepareWorkdir } from "../sandbox/prepare-workdir.ts";

export interface ToolFacts {
  name: string;
  aliases: readonly string[];
  effect: string;
  description: string;
  input: object;
  access: { allowed: boolean; reason: string; reasons: readonly GateReason[] };
}

export interface ToolApi {
  list(): ToolFacts[];
  /** Throws PincerError `tool/not-found`. */
  info(name: string): ToolFacts;
  /**
   * The owner at the terminal may run what neither config nor a standing rule denies: in the gateway while one runs, else here. Throws
   * `gateway/…`, never for what the tool does.
   */
  invoke(name: string, args: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export interface ToolApiParts extends OpenHomeParts {
  version: string;
  /** Opens the family in the running gateway, or over the home. Throws `gateway/…`, `storage/…`. */
  openApi<Family extends "memory" | "rules">(
    family: Family,
    parts: OpenHomeParts & { version: string },
  ): Promise<OpenApi<Family>>;
}

export async function openToolApi(
  parts: ToolApiParts,
  options: { workdir?: string; configProfile?: string },
): Promise<ToolApi> {
  const { home, loaded, secrets } = await openFoundation({ ...parts, configProfile: options.configProfile });
  const { config } = loaded;
  const agentId = defaultAgentOf(config);
  const { workspace, reach, toolRules } = agentSettings(config, agentId);
  // What is to be told about the home has been told.
  const profile = { ...parts, configProfile: options.configProfile, notify: () => {} };
  const { timezone, memory } = contextSettings(config, agentId);
  const workdir = prepareWorkdir({
    flag: options.workdir,
    configured: workspace,
    cwd: parts.cwd,
    environment: parts.environment,
    homeRoot: home.root,
  });
  const { layout } = memory;
  const ids = createIds();
  /** Opened with the first thing that needs the database. */
  let opening: Promise<OpenHome> | undefined;
  const opened = () =>
    (opening ??= import("../storage/home/open-home.ts").then(({ openHome }) => openHome(profile, {})));
  const labels = lazyLabels(async () => {
    const { openLabels } = await import("../gate/labels/open-labels.ts");
    return openLabels(await opened());
  });
  const effects = openEffects({
    ...parts,
    home,
    config: () => config,
    secrets,
    clock: systemClock,
    ids,
    spans: labels.spans,
    onError: (error) => parts.notify(sayError(asPincerError(error), parts.say).message),
  });
  const agentWorkspace = createAgentWorkspace({
    workdir,
    homeRoot: home.root,
    reach,
    clock: systemClock,
    timezone,
    layout,
    keeper: effects.keeper,
  });
  const recall: Recall = {
    search: ({ text, limit }) => atMemory(profile, (api) => api.search({ agentId, text, limit })),
    get: ({ path, startLine, endLine }) =>
      atMemory(profile, (api) =>
        api.get({
          agentId,
          path,
          ...(startLine === undefined ? {} : { startLine }),
          ...(endLine === undefined ? {} : { endLine }),
        }),
      ),
  };
  const media = createMediaStore({ directory: home.mediaDir, limits: () => config.media });
  const conversation = lazyConversationAccess(async () => {
    const { accessWithoutGateway } = await import("../channels/conversation/access-without-gateway.ts");
    return {
      access: accessWithoutGateway(await opened(), parts, () => config),
      // The home is closed with everything else.
      close: async () => {},
    };
  });
  const tools = createBuiltInTools(
    {
      clock: systemClock,
      agentWorkspace,
      recall,
      media,
      conversation: conversation.access,
      labels: labels.files,
    },
    effects.toolsIn(workdir),
  );
  const executor = createToolExecutor({ tools, clock: systemClock });
  for (const name of unknownToolNames(config, tools)) parts.notify(parts.say("tools.unknown-rule", { name }));
  const known: ToolVisibility = {
    channel: "cli",
    chatType: "main",
    userRoles: ["owner"],
    // Programs are those of the main session, as they are in a gateway.
    sessionKey: `agent:${agentId}:main`,
    agentId,
  };
  const place = isSensitive(config, known) ? { ...known, isSensitive: true } : known;
  // A home that never had a database has no rules; one that has lost it gets them back by being opened.
  const { wasThere } = await import("../storage/home/notice-loss.ts");
  const hasRules = existsSync(home.coreDb) || (await wasThere(home));
  const standing = hasRules ? await standingFor(agentId, profile) : [];
  const rules = [...toolRules, ...configRules(config, place), ...standing];
  const accessOf = (tool: Tool): ToolFacts["access"] => {
    const { verdict, reason, reasons } = decide({ place, rules }, "show", { tool });
    return { allowed: verdict !== "deny", reason, reasons };
  };
  const facts = (tool: Tool): ToolFacts => ({
    name: tool.name,
    aliases: tool.aliases,
    effect: tool.effect,
    description: tool.description,
    input: tool.input,
    access: accessOf(tool),
  });

  return {
    list: () => tools.all().map(facts),
    info(name) {
      const tool = tools.find(name);
      if (tool) return facts(tool);
      throw failure("tool/not-found", "failure.no-tool", { name }, { hint: "failure.no-tool.hint" });
    },
    async invoke(name, args, signal) {
      const call = { name, arguments: args };
      // The gateway has the programs that run, and the network that it was given.
      const client = await connectToGateway(profile);
      if (client) {
        const flag = options.workdir === undefined ? {} : { workdir };
        return client
          .request("tools.invoke", { ...call, agentId, ...flag }, { signal })
          .finally(client.close);
      }
      const id = ids.make("h");
      const kept = { turnId: id, sessionKey: place.sessionKey, agentId, workdir };
      const where: CallPlace = {
        sessionKey: place.sessionKey,
        visibility: place,
        workdir,
        byHand: () => "call",
        snapshot: (changes) => effects.keep(kept, changes, signal),
      };
      try {
        return await gateTools({ tools, executor }, rules, where).call(manualCall(call), signal);
      } finally {
        effects.turnEnded(id);
        await conversation.close();
        // Nobody would be there to look after what goes on.
        await effects.close();
        await (await opening?.catch(() => undefined))?.close();
      }
    },
  };
}

/** The index is the gateway's while one runs. */
async function atMemory<Result>(
  parts: ToolApiParts,
  work: (api: Api<"memory">) => Promise<Result>,
): Promise<Result> {
  const { api, close } = await parts.openApi("memory", parts);
  try {
    return await work(api);
  } finally {
    await close();
  }
}

/** Where they cannot be read, nothing may run, and the reason says so. */
async function standingFor(agentId: string, parts: ToolApiParts): Promise<ToolRule[]> {
  try {
    const { api, close } = await parts.openApi("rules", parts);
    try {
      return standingRules((await api.list({ agentId })).rules);
    } finally {
      await close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ type: "off", source: "rules", names: [], why: gateReason("rules-unread", { error: reason }) }];
  }
}
