/**
 * Builds the prompts of agents and caches them: a prompt is rebuilt only if one of its sources has changed. In
 * between it stays the same byte for byte, and a turn costs a few stats of files.
 */
import { asPincerError, createRecent, type ToolDescription } from "@pincer/sdk";
import { buildPrompt, needsOf } from "../prompt/build-prompt.ts";
import { chooseOverride } from "../prompt/choose-override.ts";
import type { ContextOptions, LeftOut, Prompt, PromptFacts, PromptText } from "../prompt/prompt.ts";
import type { MemoryOwner, SessionMemory } from "../../storage/sessions/session-memory.ts";
import { ownSummaries } from "../../storage/sessions/summary-title.ts";
import { readSkills } from "../../skills/read-skills.ts";
import type { StandingRule } from "../../storage/rules/rules.ts";
import type { AgentInstance } from "../agents/agent-registry.ts";
import type { AgentWorkspace } from "../agents/agent-workspace.ts";
import { readAccepted } from "./accepted-texts.ts";
import type { PromptTurn } from "./prompt-files.ts";

export interface PromptRequest {
  agent: AgentInstance;
  agentWorkspace: AgentWorkspace;
  options: ContextOptions;
  channel?: string | undefined;
  chatType: PromptFacts["chatType"];
  turn: PromptTurn;
  tools: readonly ToolDescription[];
  rules: readonly StandingRule[];
  /** The session whose memory file is included: its end, at least this much of it; `ownOnly`: of the owner's words. */
  memoryOf?: (MemoryOwner & { leastChars: number; ownOnly?: boolean }) | undefined;
}

export interface PromptCache {
  /** Never throws for what is in the files: what cannot be read is left out, and named with the reason. */
  promptFor(request: PromptRequest): Promise<Prompt>;
}

export function createPromptCache({ sessionMemory }: { sessionMemory: SessionMemory }): PromptCache {
  const kept = createRecent<KeptPrompt>(mostKept);

  return {
    promptFor(request) {
      const name = nameOf(request);
      const stamp = stampOf(request, sessionMemory);
      const known = kept.get(name);
      if (
        known &&
        known.agent === request.agent &&
        known.stamp === stamp &&
        isFresh(known, request.agentWorkspace)
      )
        return known.prompt;
      const skills: ReadStamps = new Map();
      const prompt = build(request, sessionMemory, skills);
      kept.set(name, { agent: request.agent, stamp, skills, prompt });
      prompt.catch(() => kept.delete(name));
      return prompt;
    },
  };
}

interface KeptPrompt {
  agent: AgentInstance;
  stamp: string;
  skills: ReadStamps;
  prompt: Promise<Prompt>;
}

/** Which files were looked for, and how they were just before. */
type ReadStamps = Map<string, string>;

const mostKept = 256;

/** The folder of a skill says nothing of a change inside it. */
const isFresh = ({ skills }: KeptPrompt, { files }: AgentWorkspace): boolean =>
  skills.entries().every(([path, stamp]) => files.stamp(path) === stamp);

/** What cannot change under one name. What the agent itself says of its options cannot change either; see below. */
const nameOf = ({
  agent,
  agentWorkspace,
  options,
  channel,
  chatType,
  turn,
  tools,
  memoryOf,
}: PromptRequest) =>
  JSON.stringify([
    agent.agentId,
    agentWorkspace.workdir,
    options === agent.context.options ? null : options,
    channel,
    chatType,
    turn,
    memoryOf,
    ...tools.map((tool) => tool.name),
  ]);

/** Changes when something may have changed that the prompt is built of. The agent itself is another one when the config has changed. */
function stampOf(
  { agent, agentWorkspace, options, chatType, rules, memoryOf }: PromptRequest,
  sessionMemory: SessionMemory,
): string {
  const needs = needsOf(options);
  const { memoryFile, days } = injectionFor(agent, chatType);
  return JSON.stringify([
    needs.files ? agentWorkspace.promptFiles.stamp() : agentWorkspace.promptFiles.overrideStamp(),
    needs.skills ? skillPlaces.map((place) => agentWorkspace.files.stamp(place)).join(" ") : "",
    needs.memory && (memoryFile || days > 0) ? agentWorkspace.memory.stamp(days) : "",
    needs.memory && memoryOf ? sessionMemory.stamp(memoryOf) : "",
    ...rules.flatMap(({ id, text, enforcement }) => [id, text, enforcement !== null]),
  ]);
}

const skillPlaces = [".agent/skills", "skills"];

async function build(
  request: PromptRequest,
  sessionMemory: SessionMemory,
  stamps: ReadStamps,
): Promise<Prompt> {
  const { agent, agentWorkspace, options, chatType, memoryOf } = request;
  const { settings, context } = agent;
  const needs = needsOf(options);
  const { memoryFile, days } = injectionFor(agent, chatType);
  const { promptFiles } = agentWorkspace;
  const readers = chatType === "main" ? "owner" : "others";
  const [found, override, skills, longTerm, notes, ofSession] = await Promise.all([
    needs.files ? promptFiles.read(context.bootstrap, request.turn, agent.agentId, readers) : undefined,
    promptFiles.override(context.bootstrap, agent.agentId),
    needs.skills ? readSkills(stamped(agentWorkspace, agent.agentId, stamps)) : undefined,
    needs.memory && memoryFile ? agentWorkspace.memory.longTerm(mostMemoryChars) : undefined,
    needs.memory && days > 0 ? agentWorkspace.memory.notes(days, mostNoteChars) : undefined,
    needs.memory && memoryOf ? readTail(sessionMemory, memoryOf) : undefined,
  ]);
  return buildPrompt(
    {
      identity: settings.identity,
      override: chooseOverride({ config: settings.systemPrompt, workspace: override.text }),
      agentId: agent.agentId,
      workdir: agentWorkspace.workdir,
      timezone: context.timezone,
      channel: request.channel,
      chatType,
      tools: request.tools,
      skills: skills?.skills ?? [],
      files: found?.files ?? [],
      memory: [...(longTerm?.texts ?? []), ...(notes?.texts ?? [])],
      unconfirmedLines: (longTerm?.unconfirmed ?? 0) + (notes?.unconfirmed ?? 0),
      sessionMemory: ofSession?.tail,
      rules: request.rules.map(({ id, text, enforcement }) => ({ id, text, enforced: enforcement !== null })),
      leftOut: {
        identity: override.skipped,
        skills: skills?.skipped.map(({ path, reason }) => ({ name: path, reason })) ?? [],
        files: found?.skipped ?? [],
        memory: [...(longTerm?.skipped ?? []), ...(notes?.skipped ?? [])],
        "session-memory": ofSession?.skipped ?? [],
      },
    },
    options,
  );
}

function stamped(
  { files, accepted }: AgentWorkspace,
  agentId: string,
  stamps: ReadStamps,
): Pick<AgentWorkspace["files"], "list" | "read"> {
  const read = readAccepted(files, accepted, agentId);
  return {
    list: files.list,
    read(path, maxBytes) {
      stamps.set(path, files.stamp(path));
      return read(path, maxBytes);
    },
  };
}

/** A file that cannot be read costs the turn nothing but its content. */
async function readTail(
  sessionMemory: SessionMemory,
  { leastChars, ownOnly, ...owner }: NonNullable<PromptRequest["memoryOf"]>,
): Promise<{ tail: PromptText | undefined; skipped: LeftOut[] }> {
  try {
    const tail = await sessionMemory.tail(owner, Math.max(leastChars, usualSessionChars));
    return { tail: tail && ownOnly ? { ...tail, text: ownSummaries(tail.text) } : tail, skipped: [] };
  } catch (error) {
    const { message: reason } = asPincerError(error);
    return { tail: undefined, skipped: [{ name: owner.sessionKey, reason }] };
  }
}

export const mostMemoryChars = 12_000;
export const mostNoteChars = 8000;
const usualSessionChars = 4000;

/** What is remembered of the owner's life is for the owner's own chats. */
function injectionFor({ context }: AgentInstance, chatType: PromptFacts["chatType"]) {
  const { main, group } = context.memory.inject;
  if (chatType === "main") return main;
  return chatType === "group" ? group : { memoryFile: false, days: 0 };
}
