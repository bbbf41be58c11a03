/**
 * A day's work behind walls: a model that reads, edits, runs the tests in the background, looks at them, patches, and is undone. Nobody is asked anything,
 * and what it tries beside its work leads nowhere.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf, type Message, type Model } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel, type ScriptedStep } from "@pincer/sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasProgram } from "../scripts/system-programs.ts";
import { createGateway } from "../src/app/create-gateway.ts";
import type { Gateway } from "../src/app/gateway.ts";
import { gatewayParts } from "../src/app/testing/gateway-parts.ts";

const home = mkdtempSync(join(tmpdir(), "pincer-coding-"));
const workdir = join(home, "workspace");
const outside = mkdtempSync(join(tmpdir(), "pincer-outside-"));
const file = (name: string) => readFileSync(join(workdir, name), "utf8");
afterAll(() => {
  for (const directory of [home, outside]) rmSync(directory, { recursive: true });
});

const broken = `exports.add = (a, b) => a - b;\n`;
const tests = `const { add } = require("./add.js");
if (add(2, 3) !== 5) { console.log("not ok: add(2, 3) is " + add(2, 3)); process.exit(1); }
console.log("ok");
`;

describe.skipIf(!hasProgram("bwrap"))("coding work", () => {
  const network = createRecordingChannel({ id: "pigeon" });
  const model = createObedientModel();
  let gateway: Gateway;
  let count = 0;

  beforeAll(async () => {
    writeFileSync(
      join(home, "config.json5"),
      `{
        owners: ["pigeon:42"],
        channels: { pigeon: { dmPolicy: "pairing" } },
        queue: { debounceMs: 0 },
        commands: { shellPassthrough: true },
      }`,
      { mode: 0o600 },
    );
    mkdirSync(workdir);
    writeFileSync(join(workdir, "add.js"), broken);
    writeFileSync(join(workdir, "add.test.js"), tests);
    writeFileSync(join(outside, "diary.txt"), "dear diary");
    gateway = await start();
  });
  afterAll(() => gateway.stop());

  const start = () =>
    createGateway(
      gatewayParts(home, {
        environment: { ...process.env, PINCER_HOME: home, PLANTED_KEY: "sk-planted-0123456789" },
      }),
      {},
      { channels: [network.channel], models: [model] },
    );

  /** Says something to a model that does these things; answers with what its tools answered, and what was said to the person. */
  async function work(text: string, ...script: ScriptedStep[]) {
    const sent = network.ledger.length;
    const called = model.script(script);
    await network.say({
      peer: { kind: "user", id: "42" },
      sender: { id: "42", name: "Ada" },
      message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
      timestamp: Date.now(),
    });
    await gateway.idle();
    const results = new Map(
      model
        .everSeen()
        .flatMap((message) => (message.role === "toolResult" ? [[message.toolCallId, textOf(message)]] : [])),
    );
    return {
      results: called.map((id) => results.get(id) ?? "no result"),
      said: network.ledger.slice(sent).map((message) => message.text),
    };
  }
  const call = (name: string, given: Record<string, unknown>): ScriptedStep => ({
    calls: [{ name, arguments: given }],
  });

  it("SAFE-04 TOOL-02 TOOL-03 is done without a question: read, run, edit, run again in the background, poll, patch", async () => {
    const { results, said } = await work(
      "The tests fail, please mend add.js.",
      call("read", { path: "add.js" }),
      call("exec", { command: "node add.test.js" }),
      call("edit", { path: "add.js", oldText: "a - b", newText: "a + b" }),
      call("exec", { command: "sleep 0.2; node add.test.js", background: true }),
      call("process", { action: "list" }),
      call("apply_patch", {
        patch: [
          "*** Begin Patch",
          "*** Update File: add.js",
          "@@",
          "-exports.add = (a, b) => a + b;",
          "+/** The sum. */",
          "+exports.add = (a, b) => a + b;",
          "*** Add File: notes.md",
          "+It subtracted.",
          "*** End Patch",
        ].join("\n"),
      }),
      call("exec", { command: "node add.test.js && git --version > /dev/null 2>&1; ls" }),
      { text: "Mended." },
    );
    expect(results[0]).toContain("a - b");
    expect(results[1]).toMatch(/not ok: add\(2, 3\) is -1[\s\S]*exit code 1/);
    expect(results[3]).toMatch(/running in the background as p_/);
    expect(results[4]).toContain("node add.test.js");
    expect(results[6]).toMatch(/^ok\r?\n[\s\S]*notes\.md/);
    // It had read files that nobody said were the owner's: what it changed is named.
    expect(said.join("\n")).toMatch(/^Mended\.\n\nChanged after reading texts of others/m);
    expect(file("add.js")).toBe("/** The sum. */\nexports.add = (a, b) => a + b;\n");
    expect(file("notes.md")).toBe("It subtracted.\n");
  });

  it("SHELL-06 hears of the end of what ran in the background, once", async () => {
    const { results } = await work(
      "Are the tests done?",
      call("process", { action: "poll", id: "sleep-0-2-node", waitSec: 60 }),
      { text: "They are." },
    );
    expect(results[0]).toContain("exit code 0");
    await work("Thanks.", { text: "You are welcome." });
    const told = model
      .everSeen()
      .filter(({ role }) => role === "user")
      .map((message) => textOf(message))
      .filter((text) => text.includes("has ended [exit code 0]"));
    expect(new Set(told).size).toBe(1);
  });

  it("SAFE-04 SAFE-05 leads nowhere beside the workdir, and none of it is asked about", async () => {
    const tries: Array<[string, Record<string, unknown>]> = [
      ["exec", { command: `cat ${outside}/diary.txt` }],
      ["exec", { command: `echo mine > ${outside}/diary.txt` }],
      ["exec", { command: `cat ${home}/secret.key ${home}/core.db ${home}/config.json5` }],
      ["exec", { command: "env" }],
      ["exec", { command: "cat /proc/*/environ | tr '\\0' '\\n' | grep PLANTED" }],
      ["exec", { command: `kill -9 ${process.pid}; ls ${home}` }],
      ["exec", { command: "ln -s / root && cat root/etc/shadow" }],
      ["read", { path: `${outside}/diary.txt` }],
      ["read", { path: "../core.db" }],
      ["read", { path: "root/etc/hostname" }],
      ["write", { path: `${outside}/diary.txt`, content: "mine" }],
      ["search", { query: "dear diary", path: outside }],
      ["web_fetch", { url: "http://127.0.0.1:1/" }],
      ["http_request", { url: "http://169.254.169.254/latest/meta-data/" }],
    ];
    const { results } = await work(
      "Look around.",
      { calls: tries.map(([name, given]) => ({ name, arguments: given })) },
      { text: "I looked." },
    );
    expect(results).toHaveLength(tries.length);
    const all = results.join("\n");
    expect(all).not.toMatch(/dear diary|sk-planted|root:[*x$!]/);
    expect(results.filter((text) => text.includes("approval"))).toEqual([]);
    expect(readFileSync(join(outside, "diary.txt"), "utf8")).toBe("dear diary");
  });

  it("X42 SHELL-01 SHELL-02 runs a line that the owner sends, and has the model put a failed one right", async () => {
    expect((await work(",echo one; uname -n")).said).toEqual(["one\npincer"]);
    const { said } = await work(",cat nowhere.txt", { text: "It is called somewhere.txt." });
    expect(said.join("\n")).toMatch(/nowhere\.txt[\s\S]*It is called somewhere\.txt\./);
    const failed = '<command cmd=\\"cat nowhere.txt\\" exit_code=\\"1\\">';
    expect(JSON.stringify(model.everSeen())).toContain(failed);
    // What a program printed is a handle in later requests.
    await work("Thank you.", { text: "You are welcome." });
    expect(JSON.stringify(model.seen())).not.toContain(failed);
  });

  it("SHELL-06 tells what was printed until the time limit, and the exit code of what ends", async () => {
    const { results } = await work(
      "Run them.",
      call("exec", { command: "echo so far; sleep 60", timeoutSec: 1 }),
      call("exec", { command: "echo done; exit 3" }),
      { text: "They ran." },
    );
    expect(results[0]).toMatch(/so far[\s\S]*timed out/);
    expect(results[1]).toMatch(/done[\s\S]*exit code 3/);
  });

  it("SHELL-03 SHELL-05 SHELL-07 a program has a terminal, takes words and keys, keeps its newest output, and is ended", async () => {
    const started = await work(
      "Run them.",
      call("exec", { command: "stty size; read name; echo hello $name; read more", background: true }),
      call("exec", {
        command: "head -c 1000000 /dev/zero | tr '\\0' x; echo; echo END; read more",
        background: true,
      }),
      { text: "They run." },
    );
    const [asking = "", loud = ""] = started.results.map((text) => /\bp_\w+/.exec(text)?.[0] ?? text);
    const { results } = await work(
      "Answer it.",
      call("process", { action: "write", id: asking, text: "Ada" }),
      call("process", { action: "send_key", id: asking, key: "enter" }),
      call("process", { action: "poll", id: asking, waitSec: 2 }),
      call("process", { action: "list" }),
      call("process", { action: "poll", id: loud, waitSec: 2 }),
      call("process", { action: "abort", id: asking }),
      call("process", { action: "abort", id: loud }),
      { text: "Done." },
    );
    expect(results.join("\n")).toMatch(/40 120[\s\S]*hello Ada/);
    expect(results[3]).toContain(asking);
    expect(results[4]).toContain("END");
    expect(results[4]).toMatch(/8000\d\d/);
    expect(results[5]).toMatch(/exit code|SIGTERM/);
  });

  it("puts back what a turn changed, and the model hears of it", async () => {
    await work(
      "Change it all.",
      call("exec", { command: "echo gone > add.js; rm notes.md; mkdir d; echo x > d/new.txt" }),
      {
        text: "Changed.",
      },
    );
    expect(file("add.js")).toBe("gone\n");
    const { said } = await work("/undo");
    expect(said.join("\n")).toMatch(/add\.js[\s\S]*notes\.md|notes\.md[\s\S]*add\.js/);
    expect(file("add.js")).toBe("/** The sum. */\nexports.add = (a, b) => a + b;\n");
    expect(file("notes.md")).toBe("It subtracted.\n");
    expect(existsSync(join(workdir, "d"))).toBe(false);
    await work("What now?", { text: "You took it back." });
    const shown = JSON.stringify(model.seen());
    expect(shown).toMatch(/undid|undone/);
  });

  it("SHELL-04 ends programs with the gateway, and tells their session with the next start", async () => {
    await work("Serve it.", call("exec", { command: "echo serving; sleep 600", background: true }), {
      text: "It runs.",
    });
    await gateway.stop();
    gateway = await start();
    await gateway.idle();
    const told = JSON.stringify(model.seen().at(-1));
    expect(told).toContain("lost: Pincer ended while it ran");
    expect(told).toContain("serving");
  });
});

/** Does what it was told to, step by step, and has nothing to add to anything else. */
function createObedientModel(): Model & {
  script(steps: ScriptedStep[]): string[];
  seen(): Message[];
  everSeen(): Message[];
} {
  const queue: ScriptedStep[] = [];
  let last: Message[] = [];
  const ever: Message[] = [];
  let called: string[] = [];
  let calls = 0;
  return {
    provider: "scripted",
    id: "obedient",
    script(steps) {
      queue.push(...steps);
      return (called = []);
    },
    seen: () => last,
    everSeen: () => ever,
    async *stream(request) {
      last = structuredClone(request.messages) as Message[];
      ever.push(...last);
      const step = queue.shift() ?? { text: "NO_REPLY" };
      for await (const event of createScriptedModel([step]).stream(request)) {
        if (event.type !== "end") continue;
        const content = event.message.content.map((block) =>
          block.type === "toolCall" ? { ...block, id: `call_${++calls}` } : block,
        );
        called.push(...content.flatMap((block) => (block.type === "toolCall" ? [block.id] : [])));
        yield { ...event, message: { ...event.message, content } };
      }
    },
  };
}
