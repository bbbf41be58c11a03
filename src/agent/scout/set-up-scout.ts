/** What a scout is run with: the model of its parent, tools that read the web, and nothing of the home. */
import { clean, type Model } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { gateTools } from "../../gate/gated-tools.ts";
import type { TurnGate } from "../../gate/turn-gate.ts";
import type { ToolRule } from "../../policy/tool-access.ts";
import type { SessionRecord, SessionStore } from "../../storage/stores.ts";
import type { TurnRecord, TurnStore } from "../../storage/turns/turns.ts";
import type { AgentRegistry } from "../agents/agent-registry.ts";
import { parentOf } from "../children/child-turns.ts";
import type { ContextSetup } from "../context-setup.ts";
import type { Conversation, TurnContexts } from "../context/turn-contexts.ts";
import type { TurnSetup } from "../turn-runner.ts";
import { runRules, type TurnModels } from "../turns/set-up-turn.ts";
import type { TurnWishes } from "../turns/turn-wishes.ts";
import { withLastWord } from "./last-word.ts";
import { scoutLimits, scoutPrompt } from "./scout-words.ts";

export interface ScoutSetupParts {
  config(): Config;
  agents: AgentRegistry;
  models: TurnModels;
  contexts: TurnContexts;
  gate: TurnGate;
  turns: Pick<TurnStore, "get">;
  sessions: Pick<SessionStore, "get">;
  wishesOf(turn: TurnRecord, session: SessionRecord): TurnWishes;
}

/** Throws PincerError; the config may have changed since the parent began. */
export function createScoutSetup(parts: ScoutSetupParts) {
  const { config, agents, models, contexts, gate: turnGate } = parts;

  return async function setUp(turn: TurnRecord, session: SessionRecord): Promise<TurnSetup> {
    const parent = await findParent(parts, turn);
    const wishes = parts.wishesOf(parent.turn, parent.session);
    const agent = agents.get(parent.turn.agentId);
    const conversation = conversationOf(parent.turn, agent, wishes);
    // Counted as the parent's, and held to its budget.
    const purpose = { turn: parent.turn, session: parent.session };
    const [model, place] = await Promise.all([
      models.open(agent, wishes, purpose, { runsCalls: false }),
      contexts.gateFor(conversation),
    ]);
    const bound = agent.scoutTools();
    const forbidding = [...runRules(wishes), ...agent.settings.toolRules, ...place.rules].filter(forbids);
    const { approvals: _, ...judged } = turnGate.open({
      run: turn,
      session,
      turnId: turn.turnId,
      sessionId: session.sessionId,
      firstSeq: turn.firstSeq,
      tools: bound.tools,
      shownTools: () => [],
      filesNamed: async () => [],
      filesByWord: async () => [],
      labelOfFile: async () => undefined,
      files: undefined,
      isOwners: false,
      isGroup: false,
      maxMessages: mostMessages,
      prompt: () => [{ text: scoutPrompt, origin: "prompt", from: "the prompt", label: clean }],
      handles: () => undefined,
      hasScout: () => false,
      now: "",
      ask: undefined,
      read: async () => ({ type: "unread", reason: "a scout does nothing to others" }),
    });
    return {
      model: withLastWord(model),
      tools: gateTools(bound, forbidding, {
        ...judged,
        sessionKey: turn.sessionKey,
        visibility: place.place,
        rulesNow: place.rulesNow,
        turnId: turn.turnId,
      }),
      context: contextFor(model, agent.context.timezone, config().tools.web.fetch.maxChars),
      maxSteps: scoutLimits.steps,
      maxRepeatedCalls: agent.settings.maxRepeatedCalls,
      maxAnswerCharacters: scoutLimits.answerCharacters,
      voice: { reasoning: "off", blockBreak: "none" },
    };
  };
}

const mostMessages = 100;

/** A list that names what a run may use was passed by the call that sends the scout; what forbids holds for it, too. */
const forbids = ({ type }: ToolRule): boolean => type !== "only" && type !== "granted";

async function findParent({ turns, sessions }: ScoutSetupParts, child: TurnRecord) {
  const turn = await turns.get(parentOf(child)?.turnId ?? "");
  const session = turn?.sessionId ? await sessions.get(turn.sessionId) : undefined;
  if (!turn || !session) throw new Error("the turn that sent the scout is gone");
  return { turn, session };
}

const conversationOf = (
  { sessionKey, destination, origin, person }: TurnRecord,
  agent: Conversation["agent"],
  wishes: TurnWishes,
): Conversation => ({ agent, sessionKey, destination, channel: origin.channel, person, wishes });

/** Where nobody knows: what most models have at least. */
const unknownLimits = { contextWindow: 128_000, maxTokens: 8192 };

/** The same prompt for everybody; nothing is summed up or noted. */
const contextFor = (model: Model, timezone: string, pageChars: number): ContextSetup => ({
  systemPrompt: scoutPrompt,
  promptLabel: clean,
  hasSessionMemory: false,
  view: {
    maxMessages: mostMessages,
    // What surrounds a page is short.
    resultChars: pageChars + 1000,
    pruning: { mode: "off", ttlMs: 300_000, keepLastAssistants: 3, isUntrusted: true },
    timezone,
    limits: model.limits ?? unknownLimits,
    reserveTokens: 20_000,
  },
  compaction: {
    enabled: false,
    thresholds: { flushAt: Infinity, compactAt: Infinity, keepTokens: 20_000 },
    by: "digest",
    serially: async () => undefined,
  },
  flush: { enabled: false, lastAt: null, today: () => "", isWritable: async () => false },
});
