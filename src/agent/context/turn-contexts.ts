/** The context of a turn and its settings: from the current config, standing rules and files. */
import {
  parseSessionKey,
  type Destination,
  type Model,
  type ToolDescription,
  type ToolVisibility,
} from "@pincer/sdk";
import type { BeforeCompact } from "../compaction/compaction.ts";
import { compactionThresholds } from "../compaction/compaction-settings.ts";
import { dmHistoryLimit } from "./dm-history-limit.ts";
import { createFoundWindows } from "./found-windows.ts";
import { needsOf, toolFilterOf } from "../prompt/build-prompt.ts";
import type { ContextOptions, Prompt } from "../prompt/prompt.ts";
import { labelOfPrompt } from "../prompt/trusted-text.ts";
import type { ContextSetup } from "../context-setup.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { MemoryOwner, SessionMemory } from "../../storage/sessions/session-memory.ts";
import { configRules, isSensitive } from "../../policy/config-rules.ts";
import { standingRules } from "../../policy/rules/standing-rules.ts";
import type { ToolRule } from "../../policy/tool-access.ts";
import { visibilityRules } from "../../policy/tool-visibility.ts";
import type { RuleStore, StandingRule } from "../../storage/rules/rules.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TurnPerson } from "../../storage/turns/turns.ts";
import type { AgentInstance } from "../agents/agent-registry.ts";
import type { AgentWorkspace } from "../agents/agent-workspace.ts";
import type { TurnWishes } from "../turns/turn-wishes.ts";
import type { FailedSummaries } from "./failed-summaries.ts";
import { createPromptCache } from "./prompt-cache.ts";
import { createSerialWork } from "../../infra/serial-work.ts";
import type { SessionSummaries } from "./session-summaries.ts";
import type { ViewHandles } from "./session-view.ts";

/** Who talks to whom, and where. */
export interface Conversation {
  agent: AgentInstance;
  sessionKey: string;
  destination: Destination | null;
  /** The channel that it comes by, also where nothing is sent back on it: `cli`, `http`. */
  channel: string;
  person: TurnPerson;
  wishes: TurnWishes;
}

export interface TurnContexts {
  /** What holds at the gate besides the agent's own rules. Throws what the storage does. */
  gateFor(conversation: Conversation): Promise<ContextGate>;
  /** Throws what the storage does. */
  setUp(conversation: Conversation, shown: ShownTurn): Promise<ContextSetup & { prompt: Prompt }>;
}

export interface ContextGate {
  place: ToolVisibility;
  standing: StandingRule[];
  /** What the owner has ruled, where tools are shown, and what the request leaves out. */
  rules: ToolRule[];
  /** What the owner has ruled by the time of a call: what is ruled while the turn runs holds at once. */
  rulesNow(): Promise<ToolRule[]>;
}

export interface ShownTurn {
  model: Pick<Model, "provider" | "id" | "limits">;
  /** Undefined before anything was said in it. */
  session: SessionRecord | undefined;
  tools: readonly ToolDescription[];
  agentWorkspace: AgentWorkspace;
  standing: readonly StandingRule[];
  /** Whether it is run, under the lease of its session; else it is only looked at, and nothing may be written. */
  isRun: boolean;
}

export interface TurnContextsParts {
  config(): Config;
  rules: Pick<RuleStore, "list">;
  sessionMemory: SessionMemory;
  summaries: SessionSummaries;
  clock: Pick<Clock, "now" | "monotonic">;
  failures: FailedSummaries;
  beforeCompact?: BeforeCompact | undefined;
  /** `whole`: earlier turns are shown as they are, whoever wrote in them (measurements only). */
  earlierTurns?: "whole" | undefined;
}

/** Where nobody knows: what most models have at least. */
const unknownLimits = { contextWindow: 128_000, maxTokens: 8192 };

export function createTurnContexts(parts: TurnContextsParts): TurnContexts {
  const { config, rules, sessionMemory, summaries, failures } = parts;
  const prompts = createPromptCache({ sessionMemory });
  const serial = createSerialWork();
  const windows = createFoundWindows(parts.clock);

  return {
    async gateFor(conversation) {
      const { agent, sessionKey, destination, channel, person } = conversation;
      const standing = await rules.list({ agentId: agent.agentId });
      const { only, not, source } = toolFilterOf(optionsOf(conversation));
      const chatType = chatTypeOf(conversation);
      const known: ToolVisibility = {
        agentId: agent.agentId,
        sessionKey,
        chatType,
        // What comes back to the owner's own session goes on with the owner's work.
        userRoles: person.role === "system" && chatType === "main" ? ["system", "owner"] : [person.role],
        channel,
        ...(destination && { chatId: destination.target.peerId }),
      };
      const place = isSensitive(config(), known) ? { ...known, isSensitive: true } : known;
      return {
        standing,
        place,
        rulesNow: async () => standingRules(await rules.list({ agentId: agent.agentId })),
        rules: [
          ...standingRules(standing),
          ...visibilityRules(config().tools.visibility),
          ...configRules(config(), place),
          { type: "only", source, names: only },
          { type: "deny", source: "context.excludeTools", names: not },
        ],
      };
    },
    async setUp(conversation, { model, session, tools, agentWorkspace, standing, isRun }) {
      const { agent, sessionKey, destination, person } = conversation;
      const { settings, context } = agent;
      const { compaction, pruning } = context;
      const declared = model.limits ?? unknownLimits;
      const limits = { ...declared, contextWindow: windows.of(model, declared.contextWindow) };
      const options = optionsOf(conversation);
      const chatType = chatTypeOf(conversation);
      const handles =
        parts.earlierTurns === "whole" ? undefined : handlesFor(person, chatType, tools, config());
      const written = session && (await (isRun ? summaries.complete(session) : summaries.look(session)));
      const hasSessionMemory = written !== undefined && needsOf(options).memory;
      const prompt = await prompts.promptFor({
        agent,
        agentWorkspace,
        options,
        channel: destination?.channel,
        chatType,
        turn: person.role === "system" ? "system" : "person",
        tools,
        rules: standing,
        // The newest summary as a whole: it is not shown anywhere else.
        memoryOf:
          session && hasSessionMemory
            ? { ...ownerOf(session), leastChars: written.newestChars, ownOnly: handles !== undefined }
            : undefined,
      });
      return {
        prompt,
        systemPrompt: prompt.text,
        promptLabel: labelOfPrompt(prompt),
        hasSessionMemory,
        view: {
          maxMessages: settings.maxContextMessages,
          historyTurns: dmHistoryLimit(sessionKey, config().channels, destination),
          resultChars: context.result.maxChars,
          resultCharsByTool: {
            read: context.result.readMaxChars,
            result_read: context.result.readMaxChars,
            recall: context.result.readMaxChars,
          },
          pruning: { ...pruning, isUntrusted: chatType !== "main" },
          handles,
          timezone: context.timezone,
          limits,
          reserveTokens: compaction.reserveTokensFloor,
        },
        compaction: {
          enabled: compaction.enabled && !(session && failures.isResting(session.sessionId)),
          failed: (reason) => session && failures.failed(session, reason),
          thresholds: compactionThresholds({
            contextWindow: limits.contextWindow,
            reserveTokensFloor: compaction.reserveTokensFloor,
            softThresholdTokens: compaction.memoryFlush.softThresholdTokens,
            keepRecentTokens: compaction.keepRecentTokens,
          }),
          messages: session?.memoryEnabled ? compaction.messages : undefined,
          customInstructions: compaction.customInstructions,
          by: model.provider === "stub" ? "digest" : "model",
          hook: parts.beforeCompact,
          serially: serial.run,
        },
        foundWindow: windows.found,
        flush: {
          // Notes are the owner's memory.
          enabled: compaction.memoryFlush.enabled && chatType === "main",
          lastAt: session?.memoryFlushAt ?? null,
          prompt: compaction.memoryFlush.prompt,
          systemPrompt: compaction.memoryFlush.systemPrompt,
          today: agentWorkspace.today,
          isWritable: agentWorkspace.memory.isWritable,
        },
      };
    },
  };
}

/**
 * In a turn of somebody else effects are refused anyway: they see what was said, and in a group nothing private that the
 * owner had looked up there.
 */
export function handlesFor(
  { role }: Pick<TurnPerson, "role">,
  chatType: ToolVisibility["chatType"],
  tools: readonly Pick<ToolDescription, "name">[],
  { contacts, session }: Pick<Config, "contacts" | "session">,
): ViewHandles | undefined {
  const isGroup = chatType === "group";
  if (role === "peer" && !isGroup) return undefined;
  return {
    tools: new Set(tools.map(({ name }) => name)),
    isOwners: role === "owner",
    isGroup,
    hides: role === "peer" ? "private" : isGroup ? "both" : "others",
    contacts: [...new Set([...Object.keys(contacts), ...Object.keys(session.identityLinks)])],
  };
}

const ownerOf = ({ tenantId, workspaceId, sessionKey }: SessionRecord): MemoryOwner => ({
  tenantId,
  workspaceId,
  sessionKey,
});

const optionsOf = ({ agent, wishes }: Conversation): ContextOptions =>
  wishes.context === undefined
    ? agent.context.options
    : { ...agent.context.options, strategy: wishes.context };

/**
 * The owner's own chats are one, whatever the network: what is remembered is there. Where Pincer itself speaks up, or the owner does so from
 * elsewhere, the key tells whose chat it is; of a direct one it does not tell whether it is the owner's.
 */
function chatTypeOf({ destination, person, sessionKey }: Conversation): ToolVisibility["chatType"] {
  const parsed = parseSessionKey(sessionKey);
  const kind = parsed.ok ? parsed.scope.conversation.type : "named";
  if (kind === "group" || (destination && destination.target.peerKind !== "user")) return "group";
  const isSaidThere = person.role === "owner" && destination !== null;
  return person.role === "peer" || (kind === "direct" && !isSaidThere) ? "direct" : "main";
}
