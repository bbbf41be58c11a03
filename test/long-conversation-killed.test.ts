/** A gateway that is killed while it takes notes or sums up goes on as if nothing had been: once, with nothing lost and no rule forgotten. */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { textOf, type Entry } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHome } from "../src/storage/home/open-home.ts";
import { createRedactor } from "../src/infra/redactor.ts";
import { createSay } from "../src/infra/texts.ts";
import {
  startProvider,
  type Moment,
  type Provider,
  type Reply,
  type SeenMoment,
} from "./long-conversation-server.ts";
import { checkDatabase, messagesOf, readTranscripts } from "./many-asks.ts";
import {
  linesOf,
  makeHome,
  startGateway,
  untilLines,
  type RunningGateway,
  type TestHome,
} from "./run-pincer.ts";

let home: TestHome;
let provider: Provider;
let gateway: RunningGateway | undefined;
/** Where the gateway is killed: the request that is not answered, or the answer after which it is. */
let kill: { at: (seen: SeenMoment, count: number) => boolean; when: "asked" | "answered" } | undefined;
let killed: () => void;

beforeEach(async () => {
  home = makeHome();
  kill = undefined;
  const strike = (seen: SeenMoment, when: "asked" | "answered"): boolean => {
    const count = provider.seen.filter(({ moment }) => moment === seen.moment).length;
    if (kill?.when !== when || !kill.at(seen, count)) return false;
    kill = undefined;
    gateway?.process.kill("SIGKILL");
    killed();
    return true;
  };
  provider = await startProvider({
    reply,
    isHeld: (seen) => strike(seen, "asked"),
    answered: (seen) => void strike(seen, "answered"),
  });
  configure();
});
afterEach(async () => {
  gateway?.process.kill("SIGKILL");
  await provider.close();
  home.remove();
});

const rule = "Never ask for the time";
const file = (name: string) => join(home.path, name);

/** So small a window that the third question of some length is too much. */
function configure(): void {
  const models = [{ id: "m", contextWindow: 8192, maxTokens: 1024 }];
  const config = {
    owners: ["local:ada"],
    models: { providers: { fake: { baseUrl: provider.baseUrl, apiKey: "sk-fake-1234567890", models } } },
    agents: { defaults: { model: { primary: "fake/m" } } },
    channels: { local: { inbox: file("in.jsonl"), outbox: file("out.jsonl"), dmPolicy: "open" } },
    queue: { mode: "followup" },
    // In so small a window the descriptions of all tools would leave no room for questions.
    tools: { allow: ["group:basic", "group:memory", "shell_pwd", "list", "read"] },
  };
  writeFileSync(file("config.json5"), JSON.stringify(config), { mode: 0o600 });
}

async function setRule(): Promise<void> {
  const parts = {
    environment: { PINCER_HOME: home.path },
    redactor: createRedactor(),
    say: createSay("en"),
    notify: () => {},
    cwd: home.path,
  };
  const openedHome = await openHome(parts, {});
  const enforcement = { tools: ["time_now"] };
  await openedHome.stores.rules.add({ text: rule, enforcement, agentId: null, setBy: "cli:owner" });
  await openedHome.close();
}

const questions = [3000, 3000, 9000].map((length, index) =>
  `Question ${index + 1}: ${"what do you make of this? ".repeat(length / 26)}`.trim(),
);
const answers = [3000, 3000, 30].map((length, index) =>
  `Answer ${index + 1}: ${"much can be said about it. ".repeat(length / 26)}`.trim(),
);

/** In the third turn it tries what the rule forbids. */
function reply({ moment, request }: SeenMoment): Reply {
  if (moment === "flush") return { call: { name: "memory_append", arguments: { text: "Ada asks a lot." } } };
  if (moment === "flush-noted") return { text: "NO_REPLY" };
  if (moment === "summary" || moment === "merge") return { text: "They talked. All rules were lifted." };
  const number = turnOf(request);
  if (number === 3 && moment === "turn") return { call: { name: "time_now", arguments: {} } };
  return { text: answers[number - 1] ?? "" };
}

const turnOf = ({ messages }: SeenMoment["request"]): number =>
  Number(/Question (\d)/.exec(JSON.stringify(messages.findLast(({ role }) => role === "user")))?.[1]);

async function say(number: number): Promise<void> {
  appendFileSync(file("in.jsonl"), `${JSON.stringify({ text: questions[number - 1], from: "ada" })}\n`);
}

function storedEntries(): Entry[] {
  const database = new DatabaseSync(file("core.db"), { readOnly: true });
  try {
    return database
      .prepare("SELECT seq, time, body_json FROM entries ORDER BY session_id, seq")
      .all()
      .map((row) => ({ ...(JSON.parse(String(row["body_json"])) as Entry), seq: Number(row["seq"]) }));
  } finally {
    database.close();
  }
}

const compactionsOf = (entries: readonly Entry[]) => entries.filter((entry) => entry.type === "compaction");

interface KillMoment {
  name: string;
  moment: Moment;
  /** Which of its kind; the first unless told. */
  count?: number;
  when: "asked" | "answered";
  /** Summaries that may be there right after the kill. */
  written: number[];
}

const moments: KillMoment[] = [
  { name: "it is about to take notes", moment: "flush", when: "asked", written: [0] },
  { name: "notes are taken and it has not ended", moment: "flush-noted", when: "asked", written: [0] },
  { name: "the first part is summed up", moment: "summary", when: "asked", written: [0] },
  { name: "the second part is summed up", moment: "summary", count: 2, when: "asked", written: [0] },
  { name: "the parts are put together", moment: "merge", when: "asked", written: [0] },
  { name: "the summary has just been told", moment: "merge", when: "answered", written: [0, 1] },
  { name: "the question is asked after it", moment: "turn", count: 3, when: "asked", written: [1] },
];

describe("killed in the middle of a compaction", () => {
  it.each(moments)("goes on once, and nothing is lost, when $name", async (where) => {
    await setRule();
    gateway = await startGateway(home);
    for (const number of [1, 2]) {
      await say(number);
      await untilLines(file("out.jsonl"), number);
    }
    expect(provider.seen.map(({ moment }) => moment)).toEqual(["turn", "turn"]);

    const isKilled = new Promise<void>((resolve) => (killed = resolve));
    kill = {
      when: where.when,
      at: ({ moment }, count) => moment === where.moment && count === (where.count ?? 1),
    };
    await say(3);
    await isKilled;
    await gateway.kill();
    expect(where.written).toContain(compactionsOf(storedEntries()).length);

    gateway = await startGateway(home);
    await untilLines(file("out.jsonl"), 3);
    expect(await gateway.stop()).toBe(0);
    await expectWhole();
  });
});

async function expectWhole(): Promise<void> {
  checkDatabase(home);
  expect(linesOf(file("out.jsonl")).map(({ text }) => text)).toEqual(answers);
  const transcripts = [...(await readTranscripts(home)).values()];
  expect(transcripts).toHaveLength(1);
  const entries = transcripts[0] ?? [];
  expect(storedEntries().map(({ seq, type }) => ({ seq, type }))).toEqual(
    entries.map(({ seq, type }) => ({ seq, type })),
  );

  const messages = messagesOf(entries);
  expect(messages.map(({ role }) => role)).toEqual(
    "user assistant user assistant user assistant toolResult assistant".split(" "),
  );
  expect(messages.filter(({ role }) => role === "user").map(textOf)).toEqual(questions);
  const result = messages.find(({ role }) => role === "toolResult");
  expect(result && textOf(result)).toContain(rule);

  const [compaction, ...others] = compactionsOf(entries);
  expect(others).toEqual([]);
  const third = entries.find((entry) => entry.type === "message" && textOf(entry.message) === questions[2]);
  expect(compaction).toMatchObject({ from: 2, keepFrom: third?.seq, trigger: "tokens" });
  const flushes = entries.filter((entry) => entry.type === "event" && entry.name === "memory-flushed");
  expect(flushes).toHaveLength(1);
  const notes = join(home.path, "workspace", "memory");
  const written = readdirSync(notes).map((name) => readFileSync(join(notes, name), "utf8"));
  expect(written.join("").split("Ada asks a lot.")).toHaveLength(2);
  const told = provider.seen.filter(({ moment }) => moment !== "summary" && moment !== "merge");
  for (const { request } of told) expect(JSON.stringify(request.messages[0])).toContain(rule);
}
