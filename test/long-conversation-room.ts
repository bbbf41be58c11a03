/** The whole engine on a disk of its own, with a provider that forgives nothing, and rules that its owner has set. */
import { questionsWithoutGateway } from "../src/app/walk-without-gateway.ts";
import type { Ask } from "../src/routing/questions.ts";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry, Message } from "@pincer/sdk";
import { expect } from "vitest";
import { noMemory } from "../src/memory/following/no-memory.ts";
import { openHome, type OpenHome } from "../src/storage/home/open-home.ts";
import { createEngine, type Engine } from "../src/routing/engine.ts";
import type { AskAnswer } from "../src/routing/ask-turn.ts";
import type { TurnWishes } from "../src/agent/turns/turn-wishes.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { createSay } from "../src/infra/texts.ts";
import { readTranscript } from "../src/storage/transcript/read-transcript.ts";
import { createStrictModel, limits, type SeenRequest, type StrictModel } from "./long-conversation-model.ts";
import { createPrefixWatch, type PrefixWatch } from "./long-conversation-prefix.ts";
import { createScriptTools, rules } from "./long-conversation-script.ts";

export interface Room {
  openedHome: OpenHome;
  model: StrictModel;
  prefix: PrefixWatch;
  deployed: string[];
  mailed: string[];
  /** What was not as it must be, as it happened. */
  problems: string[];
  ask(input: string, wishes?: TurnWishes): Promise<AskAnswer>;
  entries(): Promise<Entry[]>;
  notes(): string;
}

/** Built, used, checked for what must always hold, and cleared away. */
export async function withRoom<Result>(work: (room: Room) => Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), "pincer-long-"));
  const parts = {
    environment: { PINCER_HOME: home },
    redactor: createRedactor(),
    say: createSay("en"),
    notify: () => {},
    cwd: home,
  };
  const openedHome = await openHome(parts, {});
  try {
    return await work(await furnish(openedHome, parts));
  } finally {
    await openedHome.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function furnish(openedHome: OpenHome, parts: Parameters<typeof openHome>[0]): Promise<Room> {
  const { stores, home } = openedHome;
  const problems: string[] = [];
  const prefix = createPrefixWatch();
  const { tools, deployed, mailed } = createScriptTools();
  const model = createStrictModel((request) => {
    problems.push(...problemsOf(request).slice(0, 100 - problems.length));
    prefix.see(request);
  });
  const unconnected = () => Promise.reject(new Error("nobody is connected"));
  const connected = { check: unconnected, open: unconnected };
  const engine = createEngine({
    openedHome,
    parts,
    config: () => openedHome.config,
    models: [model],
    connected,
    memory: noMemory,
    tools,
  });
  const config = () => openedHome.config;
  const queue = questionsWithoutGateway({
    openedHome,
    parts,
    config,
    memory: noMemory,
    effects: { snapshots: undefined },
    engine,
  });
  const own = { agentId: null, setBy: "cli:owner" };
  await stores.rules.add({ ...own, text: rules.deploy, enforcement: { tools: ["deploy"] } });
  await stores.rules.add({
    ...own,
    text: rules.boss,
    enforcement: { tools: ["send_mail"], match: ["boss@example.com"] },
  });
  await stores.rules.add({ ...own, text: rules.brief, enforcement: null });
  const workdir = engine.setups.workdirOf(openedHome.defaultAgentId);

  return {
    openedHome,
    model,
    prefix,
    deployed,
    mailed,
    problems,
    ask: (input, wishes = {}) => askOnce({ engine, queue }, input, wishes),
    async entries() {
      const { sessions } = await stores.sessions.list({ limit: 2 });
      expect(sessions).toHaveLength(1);
      const [session] = sessions;
      if (!session) return [];
      const entries: Entry[] = [];
      for (;;) {
        const more = await stores.entries.after(session.sessionId, entries.length, 1000);
        if (more.length === 0) break;
        entries.push(...more);
      }
      await expectCopied(join(home.agentsDir, "main", "sessions"), entries);
      return entries;
    },
    notes: () =>
      readdirSync(join(workdir, "memory"))
        .map((name) => readFileSync(join(workdir, "memory", name), "utf8"))
        .join("\n"),
  };
}

async function askOnce(
  { engine, queue }: { engine: Engine; queue: Ask },
  input: string,
  wishes: TurnWishes,
): Promise<AskAnswer> {
  const { turn } = await queue({ input, wishes, typed: false, channel: "cli", direct: true });
  if (!turn) throw new Error("no turn was made");
  await engine.run(turn, new AbortController().signal);
  const answer = await engine.answer(turn.turnId);
  if (!answer) throw new Error("a turn has run, and is not there");
  return answer;
}

/** The copy on the disk says what the database does. */
async function expectCopied(directory: string, entries: readonly Entry[]): Promise<void> {
  const [name, ...others] = readdirSync(directory);
  expect(others).toEqual([]);
  const read = await readTranscript(readFileSync(join(directory, name ?? "")));
  expect(read.problems).toEqual([]);
  expect(read.entries).toEqual(entries);
}

/** What must hold for every request, whatever was said. */
function problemsOf({ kind, systemPrompt, messages, tokens }: SeenRequest): string[] {
  const missing =
    kind === "summary" ? [] : Object.values(rules).filter((rule) => !systemPrompt.includes(rule));
  const free = limits.contextWindow - limits.maxTokens - tokens;
  return [
    ...missing.map((rule) => `a ${kind} request does not show the rule: ${rule}`),
    ...(free < 0 ? [`a ${kind} request of ${tokens} tokens is too large`] : []),
    ...loose(messages).map((id) => `a ${kind} request has ${id} by itself`),
  ];
}

/** Calls that are not followed by their results, and results without a call. */
export function loose(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (open.shift() !== message.toolCallId) problems.push(`result ${message.toolCallId}`);
      continue;
    }
    problems.push(...open.map((id) => `call ${id}`));
    open =
      message.role === "assistant"
        ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []))
        : [];
  }
  return [...problems, ...open.map((id) => `call ${id}`)];
}
