/** Many processes at once, and processes that die: the checks that both kinds of test share. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { textOf, wellFormedMessages, type Entry, type Message } from "@pincer/sdk";
import { expect } from "vitest";
import { readTranscript } from "../src/storage/transcript/read-transcript.ts";
import type { TestHome } from "./run-pincer.ts";

export const messagesOf = (entries: readonly Entry[]): Message[] =>
  entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));

/** Every transcript file of the home, read as strictly as can be: any problem at all fails the test. */
export async function readTranscripts(home: TestHome): Promise<Map<string, Entry[]>> {
  const directory = join(home.path, "agents", "main", "sessions");
  const transcripts = new Map<string, Entry[]>();
  for (const name of readdirSync(directory)) {
    const { header, entries, problems } = await readTranscript(readFileSync(join(directory, name)));
    expect({ name, problems }).toEqual({ name, problems: [] });
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
    transcripts.set(header?.sessionKey ?? name, entries);
  }
  return transcripts;
}

/** The database is whole, and nothing in it is half-written. */
export function checkDatabase(home: TestHome): void {
  const database = new DatabaseSync(join(home.path, "core.db"));
  try {
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  } finally {
    database.close();
  }
}

/** Each question once, and right after it its own answer. */
export function expectQuestionsAnswered(entries: readonly Entry[], questions: string[]): void {
  const messages = messagesOf(entries);
  const asked = messages.filter((message) => message.role === "user").map(textOf);
  expect(asked.toSorted()).toEqual(questions.toSorted());
  expect(messages.map((message) => message.role)).toEqual(questions.flatMap(() => ["user", "assistant"]));
  expect(wellFormedMessages(messages).repairs).toEqual([]);
}

/** Starts `count` asks at the same moment, spread over `sessions`, and checks that each is kept once, in order. */
export async function askAllAtOnce(home: TestHome, count: number, sessions: string[]): Promise<void> {
  const runs = Array.from({ length: count }, (_, index) => {
    const session = sessions[index % sessions.length] ?? "";
    return { session, question: `question ${index}` };
  });
  const ended = await Promise.all(
    runs.map(({ session, question }) => home.run(["ask", "--json", "--session", session, question])),
  );
  const failed = ended.filter(({ status }) => status !== 0).map(({ err, out }) => err + out);
  expect(failed).toEqual([]);

  const transcripts = await readTranscripts(home);
  expect([...transcripts.keys()].toSorted()).toEqual(
    sessions.map((name) => `agent:main:named:${name}`).toSorted(),
  );
  for (const session of sessions) {
    const own = runs.filter((run) => run.session === session).map((run) => run.question);
    expectQuestionsAnswered(transcripts.get(`agent:main:named:${session}`) ?? [], own);
  }
  checkDatabase(home);
}

/**
 * Kills `kills` asks at moments spread over the life of one, then checks that the home is whole: nothing that was
 * answered is lost, nothing is kept twice, and the next ask works.
 */
export async function askAndKill(home: TestHome, kills: number): Promise<void> {
  const timed = async <Result>(work: Promise<Result>) => {
    const startedAt = performance.now();
    const ended = await work;
    return { ended, tookMs: performance.now() - startedAt };
  };
  let { tookMs: lifeMs } = await timed(home.run(["ask", "how long does it take?"]));
  const finished: string[] = ["how long does it take?"];
  for (let round = 0, killed = 0; killed < kills; round++) {
    // The golden ratio spreads the moments evenly, and the same every time; the first fifth is only Node waking up.
    const killAfterMs = lifeMs * (0.2 + 0.8 * ((round * 0.618_033_988_75) % 1));
    const question = `round ${round}`;
    const { ended, tookMs } = await timed(home.run(["ask", "--json", question], { killAfterMs }));
    if (ended.signal === "SIGKILL") killed++;
    else {
      finished.push(question);
      // The first one had nothing kept from before, and perhaps a machine that was busier.
      lifeMs = tookMs;
    }
    expect(round).toBeLessThan(kills * 10);
  }
  const last = await home.run(["ask", "--json", "still there?"]);
  expect({ status: last.status, err: last.err }).toEqual({ status: 0, err: "" });
  checkDatabase(home);

  const transcripts = await readTranscripts(home);
  const messages = messagesOf([...transcripts.values()].flat());
  const asked = messages.filter((message) => message.role === "user").map(textOf);
  for (const question of [...finished, "still there?"])
    expect(asked.filter((text) => text === question)).toHaveLength(1);
  expect(new Set(asked).size).toBe(asked.length);
  // An answer follows only its own question: what was killed has a question without one, or nothing.
  messages.forEach((message, index) => {
    if (message.role === "assistant") expect(messages[index - 1]?.role).toBe("user");
  });
}
