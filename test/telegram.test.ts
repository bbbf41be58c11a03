/**
 * A life on Telegram, as the owner and others live it: the built product in a process of its own, against the stand-in for the Bot API that comes
 * with the connector. What people see there is what is judged.
 */
import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FakeBotApi } from "../channels/telegram/src/testing/fake-bot-api.ts";
import { startGateway, type TestHome } from "./run-pincer.ts";
import type { ScriptedModelServer } from "./scripted-model-server.ts";
import { createTelegramLife, type TelegramLife } from "./telegram-life.ts";

let life: TelegramLife;
let home: TestHome;
let api: FakeBotApi;
let model: ScriptedModelServer;
beforeEach(async () => {
  life = await createTelegramLife();
  ({ home, api, model } = life);
});
afterEach(() => life.close());

/** Run before the product: notes the address of every module that is loaded. */
const writeDownWhatIsLoaded = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      if (url.startsWith("file:")) appendFileSync(process.env.LOADED_LIST, url + "\\n");
      return next(url, context);
    },
  });`)}`;

const owner = () => api.people.person(42, "Ada", "ada");
const until = (isTrue: () => boolean) => api.until(isTrue);
const untilSeen = (chat: number, text: string) => until(() => api.people.seen(chat).includes(text));

describe("a life on Telegram", () => {
  it("CLI-22 CLI-27 is set up by a command while the gateway runs, and claimed by its link", async () => {
    life.configure();
    const {
      channels: _,
      owners: __,
      ...rest
    } = JSON.parse(readFileSync(join(home.path, "config.json5"), "utf8")) as Record<string, unknown>;
    writeFileSync(join(home.path, "config.json5"), JSON.stringify(rest), { mode: 0o600 });
    const running = await startGateway(home);
    const added = await home.run(
      ["channels", "add", "telegram", "--set", `apiRoot=${api.apiRoot}`, "--stdin", "botToken", "--json"],
      { input: `${api.token}\n` },
    );
    expect(added).toMatchObject({ status: 0 });
    const { name, inForce, claim } = JSON.parse(added.out) as {
      name: string;
      inForce: boolean;
      claim: { link: string };
    };
    expect({ name, inForce }).toEqual({ name: "@pincer_test_bot", inForce: true });
    await until(() => api.polling() > 0);
    const code = new URL(claim.link).searchParams.get("start");
    api.people.dm(owner(), { text: `/start ${code}` });
    await until(() => api.people.seen(42).length === 1);
    const owners = await home.run(["owner", "list", "--json"]);
    expect(JSON.parse(owners.out)).toMatchObject({ owners: [{ channel: "telegram", senderId: "42" }] });
    expect(readFileSync(join(home.path, "config.json5"), "utf8")).not.toContain(api.token);
    const status = await home.run(["channels", "status", "--probe", "--json"]);
    expect(JSON.parse(status.out)).toMatchObject({ channels: [{ channel: "telegram", health: "green" }] });
    const again = await home.run(
      ["channels", "add", "telegram", "--replace", "--set", `apiRoot=${api.apiRoot}`, "--stdin", "botToken"],
      { input: `${api.token}\n` },
    );
    expect(again.err).toContain("Sending a hello to telegram/default:42.");
    await untilSeen(42, "Hello. You can reach me here from now on.");
    expect((await home.run(["channels", "remove", "telegram"])).status).toBe(0);
    const listed = await home.run(["channels", "list", "--json"]);
    expect(JSON.parse(listed.out)).toEqual({ channels: [] });
    expect(await running.stop()).toBe(0);
  });

  it("CHAN-19 loads neither the connector nor its library while the channel is switched off", async () => {
    const loaded = async () => {
      const list = join(home.path, "loaded.txt");
      writeFileSync(list, "");
      const environment = { NODE_OPTIONS: `--import=${writeDownWhatIsLoaded}`, LOADED_LIST: list };
      const running = await startGateway(home, [], environment);
      const listed = await home.run(["channels", "list", "--json"]);
      await running.kill();
      const files = readFileSync(list, "utf8").split("\n").filter(Boolean);
      const texts = files.map((url) => readFileSync(fileURLToPath(url), "utf8"));
      const has = (words: string) => texts.some((text) => text.includes(words));
      const state = (JSON.parse(listed.out) as { channels: Array<{ enabled: boolean }> }).channels;
      return { state, count: files.length, library: has("GrammyError"), connector: has("@BotFather.") };
    };
    life.configure({ enabled: false });
    const off = await loaded();
    expect(off).toMatchObject({ state: [{ enabled: false }], library: false, connector: false });
    expect(off.count).toBeGreaterThan(10);
    life.configure();
    expect(await loaded()).toMatchObject({ state: [{ enabled: true }], library: true, connector: true });
  });

  it("ARCH-04 CHAN-01 CHAN-24 pairs a stranger, answers a turn with a tool while it grows, and shows that it writes", async () => {
    life.configure();
    life.answerWith(({ text, results }) =>
      !text.includes("the time")
        ? { text: "Hello, Bob." }
        : results.length === 0
          ? { call: { name: "tools_echo", arguments: { text: "noon" } } }
          : {
              text: "It is exactly noon, as far as I can tell from here, and it stays so for a while.",
              everyMs: 120,
            },
    );
    await life.start();
    const bob = api.people.person(7, "Bob");
    api.people.dm(bob, { text: "hello" });
    await until(() => api.people.seen(7).length === 1);
    // What strangers send along is not even fetched.
    const document = api.people.upload(Buffer.from("x".repeat(1000)), "documents/1.bin");
    const before = api.world.updates.length;
    api.people.dm(bob, { document, caption: "look" });
    await until(() => api.world.updates.length <= before);
    expect(api.calls.filter(({ method }) => method === "getFile")).toEqual([]);
    const [code = ""] = /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(api.people.seen(7)[0] ?? "") ?? [];
    expect((await home.run(["pairing", "approve", code])).status).toBe(0);
    api.people.dm(bob, { text: "hello again" });
    await untilSeen(7, "Hello, Bob.");

    api.people.dm(owner(), { text: "tell me the time" });
    const whole = "It is exactly noon, as far as I can tell from here, and it stays so for a while.";
    await untilSeen(42, whole);
    expect(api.people.seen(42)).toEqual([whole]);
    expect(api.calls.filter(({ method }) => method === "editMessageText").length).toBeGreaterThan(0);
    expect(api.world.actions).toContainEqual(expect.objectContaining({ chat: 42, action: "typing" }));
    expect(api.world.commands.map(({ command }) => command)).toContain("help");
  });

  it("CHAN-01 puts a sign on a message while it works on it, where that is wished for", async () => {
    life.configure({ workingReaction: "👀" });
    life.answerWith(() => ({ text: "All of this takes a while, as it should.", everyMs: 60 }));
    await life.start();
    const asked = api.people.dm(owner(), { text: "hello" });
    const signs = () =>
      api.calls.filter(({ method }) => method === "setMessageReaction").map(({ given }) => given);
    await until(() => signs().length === 2);
    expect(signs()).toMatchObject([
      { chat_id: 42, message_id: asked.message_id, reaction: [{ type: "emoji", emoji: "👀" }] },
      { chat_id: 42, message_id: asked.message_id, reaction: [] },
    ]);
    await untilSeen(42, "All of this takes a while, as it should.");
  });

  it("CHAN-01 CHAN-24 answers in a group that it is spoken to, with what was said before, and in its topic", async () => {
    life.configure({ groups: ["-1001"] });
    await life.start();
    const [ada, bob] = [owner(), api.people.person(7, "Bob")];
    const group = api.people.group({ id: -1001, title: "Family", topics: [5] });
    api.people.say(group, bob, { text: "The cake is in the cellar.", thread: 5 });
    const text = "@pincer_test_bot where is the cake?";
    const entities = [{ type: "mention", offset: 0, length: 16 }];
    api.people.say(group, ada, { text, entities, thread: 5 });
    await until(() => api.people.seen(-1001).length === 1);
    expect(api.people.said(-1001)[0]).toMatchObject({ message_thread_id: 5 });
    expect(model.asked).toHaveLength(1);
    expect(model.asked[0]?.body).toContain("The cake is in the cellar.");
  });

  it("SAFE-02 asks the owner with buttons; only their press counts", async () => {
    life.configure({ groups: ["-1001"] }, { tools: { modes: { tools_echo: "approval-required" } } });
    life.answerWith(({ results }) =>
      results.length === 0
        ? { call: { name: "tools_echo", arguments: { text: "pressed" } } }
        : { text: `Done: ${results.join()}` },
    );
    await life.start();
    const ada = owner();
    const mallory = api.people.person(666, "Mallory");
    api.people.dm(ada, { text: "echo something" });
    const question = () => api.people.said(42).find((each) => each["reply_markup"] !== undefined);
    await until(() => question() !== undefined);
    const asked = question();
    if (!asked) throw new Error("nobody asked");
    const buttons = (
      asked["reply_markup"] as { inline_keyboard: Array<Array<{ text: string }>> }
    ).inline_keyboard.flat();
    const forged = api.people.press(mallory, asked, { label: buttons[0]?.text ?? "" });
    await until(() => api.world.queries.get(forged)?.isAnswered === true);
    const pending = JSON.parse((await home.run(["approvals", "list", "--json"])).out) as {
      approvals: Array<{ state: string }>;
    };
    expect(pending.approvals).toMatchObject([{ state: "pending" }]);
    const query = api.people.press(ada, asked, { label: buttons[0]?.text ?? "" });
    await until(() => api.people.seen(42).some((text) => text.startsWith("Done: ")));
    await until(() => api.world.queries.get(query)?.isAnswered === true);
  });

  it("asks about what one answer wants with one message, from which the owner chooses with a button", async () => {
    life.configure({}, { tools: { modes: { tools_echo: "approval-required" } } });
    const echo = (text: string) => ({ name: "tools_echo", arguments: { text } });
    life.answerWith(({ results }) =>
      results.length === 0
        ? { calls: [echo("tea"), echo("cake")] }
        : { text: `Done: ${results.join(" | ")}` },
    );
    await life.start();
    const ada = owner();
    api.people.dm(ada, { text: "echo both" });
    const questions = () => api.people.said(42).filter((each) => each["reply_markup"] !== undefined);
    await until(() => questions().length > 0);
    const [asked, ...more] = questions();
    if (!asked) throw new Error("nobody asked");
    expect(more).toEqual([]);
    const rows = (
      asked["reply_markup"] as { inline_keyboard: Array<Array<{ text: string; callback_data: string }>> }
    ).inline_keyboard;
    const buttons = rows.flat();
    expect(buttons.map(({ text }) => text)).toEqual([
      "Yes to all (once)",
      "Yes to all (for this task)",
      "Yes to all (for 30 minutes)",
      "Only 1",
      "Only 2",
      "No to all",
    ]);
    for (const { callback_data: data } of buttons) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    api.people.press(ada, asked, { label: "Only 2" });
    // It grows while it is written.
    const whole = /^Done: .*Denied: the owner said no.* \| .*cake/s;
    await until(() => api.people.seen(42).some((text) => whole.test(text)));
  });

  it("SAFE-02 a button in a group is the owner's, no matter who else presses it, copies it or types what it says", async () => {
    life.configure({ groups: ["-1001"] }, { tools: { modes: { tools_echo: "approval-required" } } });
    life.answerWith(({ results }) =>
      results.length === 0
        ? { call: { name: "tools_echo", arguments: { text: "pressed" } } }
        : { text: `Done: ${results.join()}` },
    );
    await life.start();
    const [ada, bob] = [owner(), api.people.person(7, "Bob")];
    const group = api.people.group({ id: -1001, title: "Family" });
    const entities = [{ type: "mention", offset: 0, length: 16 }];
    api.people.say(group, ada, { text: "@pincer_test_bot echo something", entities });
    const question = () =>
      [-1001, 42].flatMap((chat) => api.people.said(chat)).find((each) => each["reply_markup"] !== undefined);
    await until(() => question() !== undefined);
    const asked = question();
    if (!asked) throw new Error("nobody asked");
    const { inline_keyboard: rows } = asked["reply_markup"] as {
      inline_keyboard: Array<Array<{ text: string; callback_data: string }>>;
    };
    const [first] = rows.flat();
    if (!first) throw new Error("no button");
    const state = async () => {
      const { out } = await home.run(["approvals", "list", "--json"]);
      return (JSON.parse(out) as { approvals: Array<{ state: string }> }).approvals.map((each) => each.state);
    };
    const pressed = api.people.press(bob, asked, { label: first.text });
    await until(() => api.world.queries.get(pressed)?.isAnswered === true);
    const typed = `@pincer_test_bot ${first.callback_data.slice(1)}`;
    api.people.say(group, bob, { text: first.callback_data.slice(1), entities: [] });
    api.people.say(group, bob, { text: typed, entities });
    // Another app than Telegram's own can send whatever it likes as a press.
    const forged = api.people.press(bob, asked, { data: "=/approve" });
    await until(() => api.world.queries.get(forged)?.isAnswered === true);
    await until(() => api.world.updates.length === 0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await state()).toEqual(["pending"]);
    expect(api.people.seen(-1001).some((text) => text.startsWith("Done: "))).toBe(false);
    api.people.press(ada, asked, { label: first.text });
    await until(() => api.people.seen(-1001).some((text) => text.startsWith("Done: ")));
    // A press that comes a second time, as after a crash, changes nothing.
    const again = api.people.press(ada, asked, { label: first.text });
    await until(() => api.world.queries.get(again)?.isAnswered === true);
    expect(model.asked).toHaveLength(2);
  });

  it("MEDIA-04 STORE-09 sees a picture, keeps it in its own store under the name that the transcript says, and sends a long answer in parts that hold together", async () => {
    life.configure();
    const code = Array.from({ length: 400 }, (_, line) => `const value${line} = "<b>&${line}";`).join("\n");
    const long = `Here it is:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat is **all**.`;
    life.answerWith(({ text, hasImage }) =>
      text.includes("code") ? { text: long } : { text: hasImage ? "A picture." : "No picture." },
    );
    await life.start();
    const ada = owner();
    const pixel = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const photo = [{ ...api.people.upload(pixel, "photos/1.png"), width: 1, height: 1 }];
    api.people.dm(ada, { photo, caption: "what is this?" });
    await untilSeen(42, "A picture.");
    const digest = createHash("sha256").update(pixel).digest("hex");
    const kept = readdirSync(join(home.path, "media"), { recursive: true, withFileTypes: true }).filter(
      (each) => each.isFile(),
    );
    const bytes = kept.map((each) => readFileSync(join(each.parentPath, each.name)));
    expect(bytes.some((each) => each.equals(pixel))).toBe(true);
    // Transcripts are written after the answer has gone out.
    const transcripts = () =>
      globSync("agents/main/sessions/*.jsonl", { cwd: home.path })
        .map((file) => readFileSync(join(home.path, file), "utf8"))
        .join("\n");
    await expect.poll(transcripts).toContain(digest);
    expect(transcripts()).not.toContain(pixel.toString("base64").slice(0, 40));
    api.people.dm(ada, { text: "show me the code" });
    await until(() => api.people.seen(42).at(-1)?.endsWith("That is all.") === true);
    const parts = api.people.seen(42).slice(1);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.every((part) => part.length <= 4096)).toBe(true);
    const lines = parts
      .join("\n")
      .split("\n")
      .filter((line) => line.startsWith("const"));
    expect(lines.join("\n")).toBe(code);
  });

  it("PROTO-11 finishes the same message by editing it when it is killed in the middle of an answer", async () => {
    life.configure();
    // Long enough that it cannot end by itself before it is killed.
    const words = Array.from({ length: 450 }, (_, index) => `word${index}`).join(" ");
    const never = Promise.withResolvers<void>().promise;
    life.answerWith(() => ({ text: words, everyMs: 60, until: never }));
    const first = await life.start();
    api.people.dm(owner(), { text: "talk to me" });
    // Killed while the message is on its way, nobody could know whether it arrived: it is being edited by then.
    await until(() => api.calls.filter(({ method }) => method === "editMessageText").length > 1);
    await first.kill();
    life.answerWith(() => ({ text: words }));
    const before = api.people.said(42)[0];
    expect(before?.text).not.toBe(words);
    await life.start();
    await untilSeen(42, words);
    expect(api.people.seen(42)).toEqual([words]);
    expect(api.people.said(42)[0]?.message_id).toBe(before?.message_id);
  });

  it("PROTO-11 repeats once what may have arrived, and says so", async () => {
    life.configure({ streaming: "off" });
    await life.start();
    api.faults.begin({ type: "lost-answer" }, { method: "sendMessage", times: 1 });
    api.people.dm(owner(), { text: "one" });
    await untilSeen(42, "(maybe sent twice) You said: one");
    api.people.dm(owner(), { text: "two" });
    await untilSeen(42, "You said: two");
    expect(api.people.seen(42)).toEqual([
      "You said: one",
      "(maybe sent twice) You said: one",
      "You said: two",
    ]);
  });

  it("CHAN-19 loses and doubles nothing in a storm of faults, and is well again within 30 s of its end", async () => {
    life.configure({ streaming: "off" }, { queue: { debounceMs: 0, mode: "followup" } });
    await life.start();
    const ada = owner();
    let count = 0;
    const write = () => void api.people.dm(ada, { text: `message ${++count}` });
    const during = async (work: () => Promise<void>) => {
      write();
      await work();
      write();
    };
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const faults: Array<Parameters<FakeBotApi["faults"]["begin"]>> = [
      [{ type: "conflict" }, { method: "getUpdates" }],
      [{ type: "rate-limited", retryAfter: 1 }],
      [{ type: "server-error", status: 502 }],
      [{ type: "html-page", status: 502 }],
      [{ type: "reset" }],
      [{ type: "truncated-json" }, { method: "getUpdates" }],
      [{ type: "doubled-updates" }, { method: "getUpdates" }],
      [{ type: "junk-updates" }, { method: "getUpdates" }],
    ];
    for (const fault of faults) {
      await during(async () => {
        const active = api.faults.begin(...fault);
        await pause(700);
        active.end();
      });
    }
    await during(async () => {
      await api.shut();
      await pause(1000);
      await api.reopen();
    });
    const endedAt = Date.now();
    const answers = () => api.people.seen(42).map((text) => text.replace("(maybe sent twice) ", ""));
    await until(() => new Set(answers()).size >= count);
    expect(Date.now() - endedAt).toBeLessThan(30_000);
    const expected = Array.from({ length: count }, (_, index) => `You said: message ${index + 1}`);
    // No fault here acts and loses the answer: each is there once, also where nobody could know and the text says so.
    expect(answers()).toEqual(expected);
    const status = await home.run(["channels", "status", "--json"]);
    expect(JSON.parse(status.out)).toMatchObject({ channels: [{ health: "green" }] });
  });
});
