import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeHome, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

const answerFields = [
  "requestId",
  "createdAt",
  "route",
  "stage",
  "result",
  "sessionKey",
  "sessionId",
  "memoryEnabled",
  "memoryUpdated",
  "toolCalls",
  "toolResults",
  "sessionContextUpdated",
  "provider",
  "model",
  "usage",
];

async function ask(...args: string[]) {
  const ended = await home.run(["ask", "--json", ...args]);
  return { ...ended, answer: JSON.parse(ended.out) };
}

describe("pincer ask", () => {
  it("CLI-03 LOOP-09 answers with the stub, offline, in plain text", async () => {
    const { status, out, err } = await home.run(["ask", "hello"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toContain("no model is connected");
  });

  it("CLI-04 OBS-07 prints one complete object for a tool call", async () => {
    const ended = await home.run(["ask", "--json", "tool:time.now"]);
    expect(ended).toMatchObject({ status: 0, err: "" });
    const answer = JSON.parse(ended.out);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(answerFields));
    expect(answer).toMatchObject({
      route: "tool",
      stage: "done",
      provider: "stub",
      sessionContextUpdated: true,
    });
    expect(answer.toolCalls).toMatchObject([{ name: "time.now", arguments: {} }]);
    expect(answer.toolResults).toMatchObject([{ ok: true, name: "time.now" }]);
    expect(answer.result).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it.each([[["ask", ""]], [["ask"]], [["ask", "  ", "--json"]]])(
    "CLI-03 ends %j with status 2, a usage line on stderr and nothing on stdout",
    async (args) => {
      const { status, out, err } = await home.run(args);
      expect({ status, out }).toEqual({ status: 2, out: "" });
      expect(err).toContain("Usage: pincer ask [options] [input...]");
      expect(err).toContain("The input is empty");
    },
  );

  it.each([
    ["--tool-max-steps=0", "a whole number of at least 1 is needed"],
    ["--tool-max-steps=two", "a whole number of at least 1 is needed"],
    ["--memory=maybe", '--memory takes on or off, not "maybe"'],
    ["--nonsense", "unknown option '--nonsense'"],
  ])("CLI-11 X38 ends with status 2 for %s", async (flag, message) => {
    const { status, out, err } = await home.run(["ask", flag, "hi"]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(message);
  });

  it("CLI-07 SESS-01 keeps one session per key and begins another with --new-session", async () => {
    const first = await ask("--session", "work", "one");
    const second = await ask("--session", "work", "two");
    const fresh = await ask("--session", "work", "--new-session", "three");
    const other = await ask("--session", "play", "four");
    expect(first.answer.sessionKey).toBe("agent:main:named:work");
    expect(second.answer.sessionId).toBe(first.answer.sessionId);
    expect(fresh.answer.sessionId).not.toBe(first.answer.sessionId);
    expect(fresh.answer.sessionKey).toBe(first.answer.sessionKey);
    expect(other.answer.sessionId).not.toBe(fresh.answer.sessionId);
  });

  it("ROUTE-05 ROUTE-06 takes a session key in any spelling for the same session", async () => {
    const short = await ask("--session", "agent:main:telegram:dm:42", "hi");
    const path = await ask(
      "--session",
      "tenant:t_default/workspace:w_default/agent:main/dm:telegram:42",
      "hi",
    );
    expect(path.answer.sessionId).toBe(short.answer.sessionId);
  });

  it("SESS-02 SESS-04 SESS-05 keeps what was said in a readable file", async () => {
    const { answer } = await ask("hello there");
    const file = join(home.path, "agents", "main", "sessions", `${answer.sessionId}.jsonl`);
    const lines = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.type)).toEqual(["session", "message", "message"]);
    expect(lines.map((line) => line.seq)).toEqual([1, 2, 3]);
    expect(lines[0]).toMatchObject({ id: answer.sessionId, cwd: join(home.path, "workspace") });
    expect(lines[1].message).toEqual({
      role: "user",
      content: [{ type: "text", text: "hello there", origin: "owner", from: "owner" }],
    });
    expect(lines[2].message).toMatchObject({ role: "assistant", provider: "stub" });
  });

  it("CLI-08 SESS-03 keeps the memory switch with the session", async () => {
    expect((await ask("--memory", "hi")).answer.memoryEnabled).toBe(true);
    expect((await ask("hi")).answer.memoryEnabled).toBe(true);
    expect((await ask("--memory=off", "hi")).answer.memoryEnabled).toBe(false);
    expect((await ask("hi")).answer.memoryEnabled).toBe(false);
    expect((await ask("--memory=on", "hi")).answer.memoryEnabled).toBe(true);
    expect((await ask("--new-session", "hi")).answer.memoryEnabled).toBe(true);
  });

  it.each([
    ["tool:nope", [], "tool_not_found"],
    ['tool:read {"path":"nope.txt"}', [], "execution_error"],
    ['tool:read {"path":"../config.json5"}', [], "execution_error"],
    ["tool:read {}", [], "invalid_args"],
    ["tool:read {oops", [], "invalid_args"],
    ["tool:time.now", ["--no-with-tools"], "execution_error"],
    ["tool:time.now", ["--tool-allow", "read,list"], "execution_error"],
  ])("CLI-04 CLI-09 CLI-10 stays complete when %s %j fails with %s", async (input, flags, code) => {
    const { status, answer } = await ask(...flags, input);
    expect(status).toBe(1);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining([...answerFields, "toolError"]));
    expect(answer.toolError.code).toBe(code);
  });

  it("CLI-10 runs a tool that the run allows, by name or alias", async () => {
    expect((await ask("--tool-allow", "time.now", "tool:time_now")).answer.stage).toBe("done");
    expect((await ask("--tool-allow=", "tool:time_now")).answer.stage).toBe("done");
  });

  it("CLI-10 reports a name in --tool-allow that is no tool, with the object complete", async () => {
    const { status, answer } = await ask("--tool-allow", "time_now,tiem_now", "tool:time_now");
    expect(status).toBe(1);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(answerFields));
    expect(answer.error).toMatchObject({
      code: "tool/not-found",
      message: "There is no tool tiem_now to allow.",
    });
    expect(answer.sessionContextUpdated).toBe(false);
  });

  it("CLI-05 CLI-06 says what to do when the provider or profile is not connected, with the object complete", async () => {
    const { status, answer } = await ask("--provider", "openai-codex", "--profile", "work", "hi");
    expect(status).toBe(1);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(answerFields));
    expect(answer.error).toMatchObject({ code: "model/not-connected" });
    expect(answer.result).toContain("pincer auth login");
    expect((await home.run(["ask", "--provider", "openai-codex", "hi"])).err).toContain(
      "pincer auth login openai-codex",
    );
  });

  it("CLI-11 says in its help how many tool steps it takes unless told otherwise", async () => {
    expect((await home.run(["ask", "--help"])).out).toMatch(/--tool-max-steps <n>[^-]*toolMaxSteps, 50/);
  });

  it("CFG-06 answers the question of the turn however few messages may be shown", async () => {
    const { out } = await home.run(["ask", "tool:time_now"], { environment: { MAX_CONTEXT_MESSAGES: "1" } });
    expect(out).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it("keeps to the rules of the agent that answers", async () => {
    writeFileSync(
      join(home.path, "config.json5"),
      "{ tools: { deny: ['group:fs', 'tiem_now'] }, agents: { list: [{ id: 'helper', tools: { deny: ['time_now'] } }] } }",
    );
    expect((await ask("--agent", "helper", "tool:time_now")).answer.toolError.message).toContain(
      "agents.list[helper].tools.deny",
    );
    expect((await ask("tool:time_now")).status).toBe(0);
    const listed = await ask("tool:list");
    expect(listed.answer.toolError.message).toContain("tools.deny");
    expect(listed.err).toContain("names tiem_now, which is not a tool or group");
  });

  it("says so when the readable copy cannot be written, and keeps what was said", async () => {
    mkdirSync(join(home.path, "agents", "main"), { recursive: true });
    writeFileSync(join(home.path, "agents", "main", "sessions"), "in the way");
    const { status, err, answer } = await ask("hello");
    expect({ status, stage: answer.stage }).toEqual({ status: 0, stage: "done" });
    expect(err).toContain("The conversation is stored, but the readable copy");
  });

  it("CLI-12 runs a tool by hand and says what is wrong when the configured model is not there", async () => {
    await home.run(["config", "set", "agents.defaults.model.primary", "local/llama"]);
    const { status, answer } = await ask("tool:time_now");
    expect({ status, route: answer.route }).toEqual({ status: 0, route: "tool" });
    const asked = await ask("hello");
    expect(asked.status).toBe(1);
    expect(asked.answer.error).toMatchObject({ code: "model/not-found" });
    expect(asked.answer.result).toContain("local");
  });

  it("CLI-04 is complete also when the database was damaged, and is answered from the one that replaces it", async () => {
    await ask("hi");
    writeFileSync(join(home.path, "core.db"), "this is not a database, not even nearly".repeat(100));
    const { status, answer, err } = await ask("again");
    expect(status).toBe(0);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(answerFields));
    expect(err).toContain("doctor --confirm");
  });

  it("takes what was said back in from the transcripts when the database is gone, before it goes on", async () => {
    const first = await ask("--session", "a", "one");
    for (const name of readdirSync(home.path)) if (name.startsWith("core.db")) rmSync(join(home.path, name));
    const second = await ask("--session", "a", "two");
    expect(second.answer.sessionId).toBe(first.answer.sessionId);
    expect(second.err).toContain("restored from their transcripts: 1");
    expect((await home.run(["sessions", "export", "a"])).out).toContain("one");
  });

  it("does not make a directory out of a mistyped --workdir", async () => {
    const { status, out, err } = await home.run(["ask", "--workdir", join(home.path, "typo"), "tool:list"]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain("is not a directory");
    expect(existsSync(join(home.path, "typo"))).toBe(false);
  });

  it("says in which mode it runs and what to do when the config is broken", async () => {
    writeFileSync(join(home.path, "config.json5"), "{ broken");
    // By the name that works here: `pincer` where somebody linked it.
    expect((await ask("hi")).err).toMatch(
      /the defaults are in force; `(?:npx )?pincer config validate` shows what is wrong, `(?:npx )?pincer config revert` undoes/,
    );
  });

  it("CLI-32 names the model in front of the answer only on request", async () => {
    expect((await home.run(["ask", "hi"])).out).not.toMatch(/stub\/stub/);
    expect((await home.run(["ask", "--debug", "hi"])).out).toMatch(/^\[stub\/stub\] /);
  });

  it("reads files of the workdir it is given, and not beyond", async () => {
    const workdir = join(home.path, "project");
    mkdirSync(workdir);
    writeFileSync(join(workdir, "note.txt"), "remember the milk");
    const { answer } = await ask("--workdir", workdir, 'tool:fs.read_file {"path":"note.txt"}');
    expect(answer.result).toBe("remember the milk");
    expect((await ask("--workdir", workdir, "tool:fs.list_dir")).answer.result).toBe("note.txt");
    expect((await ask("--workdir", workdir, "tool:shell.pwd")).answer.result).toBe(workdir);
  });

  it("refuses a session key that is none, an unknown agent and another tenant", async () => {
    expect((await ask("--session", "agent:main:nonsense:x:y:z", "hi")).answer.error.code).toBe(
      "session/bad-key",
    );
    expect((await ask("--session", "", "hi")).answer.error.code).toBe("session/bad-key");
    expect((await ask("--agent", "nobody", "hi")).answer.error.code).toBe("usage/not-found");
    expect(
      (await ask("--session", "tenant:evil/workspace:w_default/agent:main/main", "hi")).answer.error.code,
    ).toBe("session/bad-key");
  });

  it("speaks Chinese where the user does", async () => {
    const { out } = await home.run(["ask", "你好"], { environment: { LANG: "zh_CN.UTF-8" } });
    expect(out).toContain("还没有连接模型");
    const { status, err } = await home.run(["ask", ""], { environment: { LANG: "zh_CN.UTF-8" } });
    expect(status).toBe(2);
    expect(err).toContain("用法： pincer ask");
  });
});
