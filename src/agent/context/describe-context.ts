/** Builds the next request of a session as a turn would, and describes what it contains. */
import type { ContextPartView, Model } from "@pincer/sdk";
import { digestOf } from "../compaction/digest-summary.ts";
import { buildMessages } from "./build-messages.ts";
import { estimateTokens, toolTokens } from "./estimate-tokens.ts";
import type { Mark } from "./session-view.ts";
import { messagesToRead } from "./view-window.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { ContextSetup } from "../context-setup.ts";
import { noteTool } from "../take-notes.ts";
import { mostDigestChars } from "../turn-context.ts";
import type { Say, TextKey } from "../../infra/texts.ts";
import type { EntryStore, SessionRecord } from "../../storage/stores.ts";
import type { GatedTools } from "../../gate/gated-tools.ts";
import type { ContextDescription } from "./context-description.ts";
import { sayWhy } from "./say-why.ts";

export interface DescribedTurn {
  sessionKey: string;
  agentId: string;
  session: SessionRecord | undefined;
  model: Model;
  tools: Pick<GatedTools, "descriptions">;
  context: ContextSetup & { prompt: Prompt };
}

export async function describeRequest(
  parts: { entries: Pick<EntryStore, "view">; say: Say },
  { sessionKey, agentId, session, model, tools, context }: DescribedTurn,
): Promise<ContextDescription> {
  const { prompt, view: settings, compaction, flush } = context;
  const definitions = toolTokens(tools.descriptions);
  const fixedTokens = estimateTokens(prompt.text) + definitions;
  const { mark, ...read } = session
    ? await parts.entries.view(session.sessionId, {
        before: session.lastSeq + 1,
        limit: messagesToRead(settings.maxMessages),
      })
    : { mark: undefined, said: [], isCut: false };
  const built = buildMessages({
    view: { ...read, mark: mark as Mark | undefined },
    turn: [],
    settings,
    fixedTokens,
    level: "normal",
    digest: (messages) => digestOf(messages, mostDigestChars),
    hasSessionMemory: context.hasSessionMemory,
  });
  const { thresholds } = compaction;
  const canNote = tools.descriptions.some(({ name }) => name === noteTool);
  const canFlush = flush.enabled && canNote && compaction.by === "model";
  const toolPart: ContextPartView = {
    kind: "tools",
    name: "definitions",
    tokens: definitions,
    why: parts.say("context.tools", { count: tools.descriptions.length }),
    text: JSON.stringify(tools.descriptions, null, 2),
    count: tools.descriptions.length,
  };
  return {
    sessionKey,
    sessionId: session?.sessionId ?? null,
    agentId,
    model: { provider: model.provider, id: model.id },
    window: {
      ...settings.limits,
      flushAt: canFlush ? thresholds.flushAt : null,
      compactAt: compaction.enabled ? thresholds.compactAt : null,
      estimatedUsed: built.used,
    },
    parts: [
      ...prompt.parts.map(({ name, text, ...reasons }): ContextPartView => ({
        kind: "prompt",
        name,
        tokens: estimateTokens(text),
        why: sayWhy(reasons, parts.say),
        text,
      })),
      ...(tools.descriptions.length > 0 ? [toolPart] : []),
      ...built.parts.map(({ why, ...part }): ContextPartView => ({
        kind: "history",
        ...part,
        why: parts.say(why as TextKey),
      })),
    ],
    total: fixedTokens + built.tokens,
  };
}
