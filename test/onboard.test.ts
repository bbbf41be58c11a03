/** The first run as a newcomer has it: by flags, and at a real terminal, with a scripted model and the stand-in for the Bot API. */
import { spawn } from "@lydell/node-pty";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeBotApi, type FakeBotApi } from "../channels/telegram/src/testing/fake-bot-api.ts";
import { makeHome, pincerBin, type TestHome } from "./run-pincer.ts";
import { startScriptedModelServer, type ScriptedModelServer } from "./scripted-model-server.ts";

let home: TestHome;
let api: FakeBotApi;
let model: ScriptedModelServer;
beforeEach(async () => {
  home = makeHome();
  api = await createFakeBotApi();
  model = await startScriptedModelServer(({ text }) => ({
    text: `You said: ${text.split("\n").at(-1) ?? ""}`,
  }));
});
afterEach(async () => {
  await home.run(["gateway", "stop"]);
  await model.close();
  await api.close();
  home.remove();
});

const server = () => ["--provider", "mine", "--base-url", model.baseUrl, "--model", "small"];
const configText = () => readFileSync(join(home.path, "config.json5"), "utf8");

describe("pincer onboard", () => {
  it("CLI-19 connects a model and Telegram by flags, starts the gateway, and ends with a message that works", async () => {
    const channel = ["--channel", "telegram", "--set", `apiRoot=${api.apiRoot}`, "--token-env", "BOT"];
    const ran = await home.run(
      ["onboard", "--json", ...server(), "--name", "Ada", ...channel, "--background"],
      {
        environment: { HOME: home.path, BOT: api.token },
      },
    );
    expect(ran).toMatchObject({ status: 0, err: "" });
    const {
      status,
      answer,
      channel: added,
      service,
    } = JSON.parse(ran.out) as {
      status: { done: boolean; next: string | null; address: string };
      answer: string;
      channel: { name: string; claim: { link: string } };
      service: string;
    };
    expect({ service, name: added.name, done: status.done }).toEqual({
      service: "background",
      name: "@pincer_test_bot",
      done: true,
    });
    expect(answer).toBe("You said: Hello! Who are you, in one sentence?");
    expect((await fetch(status.address)).status).toBe(200);
    expect(ran.out + configText()).not.toContain(api.token);

    await api.until(() => api.polling() > 0);
    const owner = api.people.person(42, "Grace");
    api.people.dm(owner, { text: `/start ${new URL(added.claim.link).searchParams.get("start")}` });
    await api.until(() => api.people.seen(42).length === 1);
    api.people.dm(owner, { text: "are you there?" });
    await api.until(() => api.people.seen(42).some((text) => text.includes("You said: are you there?")));
  });

  it("CLI-19 never waits for anybody where no terminal is, and says what is missing", async () => {
    const ran = await home.run(["onboard"], { environment: { HOME: home.path }, input: "" });
    expect(ran).toMatchObject({ status: 2, out: "" });
    expect(ran.err).toContain("--provider");
  });

  it("CLI-19 leads through every step at a terminal, can be stopped, and goes on where it was", async () => {
    const first = openTerminal(["onboard", "--set", `apiRoot=${api.apiRoot}`]);
    await first.until("Which model should answer?");
    first.keys("\u001B[B\u001B[B\r");
    await first.until("Its address");
    first.keys(`${model.baseUrl}\r`);
    await first.until("Does it need a key?");
    first.keys("\r");
    await first.until("Name of the model");
    first.keys("small\r");
    await first.until("own-server/small answers");
    await first.until("What should the assistant be called?");
    first.keys("\u0003");
    await first.until("Finished steps stay");
    expect(await first.ended).toBe(130);
    expect(configText()).not.toContain("identity");

    const second = openTerminal(["onboard", "--set", `apiRoot=${api.apiRoot}`]);
    await second.until("own-server/small answers");
    await second.until("What should the assistant be called?");
    second.keys("小虾\r");
    await second.until("What should it call you?");
    second.keys("\r");
    await second.until("the assistant is called 小虾");
    await second.until("Connect Telegram now?");
    second.keys("\r");
    await second.until("@BotFather");
    await second.until("(botToken;");
    second.keys("1:wrong-token\r");
    await second.until("Try again?");
    second.keys("\r");
    await second.until("(botToken;", 3);
    second.keys(`${api.token}\r`);
    await second.until("https://t.me/pincer_test_bot?start=");
    await second.until("How should the gateway run?");
    second.keys("\r");
    await second.until("The gateway is running in the background");
    await second.until("Say something to it");
    second.keys("ping\r");
    await second.until("You said: ping");
    await second.until("#code=");
    await second.until("All set.");
    expect(await second.ended).toBe(0);
    expect(second.screen()).not.toContain(api.token);

    const third = openTerminal(["onboard", "--no-message"]);
    await third.until("All set.");
    expect(third.screen()).not.toContain("?");
    expect(await third.ended).toBe(0);
  });
});

/** Keys go in, and what is seen comes out without colours and moves of the cursor. */
function openTerminal(args: string[]) {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    TERM: "xterm-256color",
    HOME: home.path,
    PINCER_HOME: home.path,
    PINCER_PORT: "0",
    LANG: "C.UTF-8",
  };
  const terminal = spawn(process.execPath, [pincerBin, ...args], { cols: 160, rows: 50, cwd: tmpdir(), env });
  let seen = "";
  terminal.onData((data) => (seen += data));
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(() => terminal.kill("SIGKILL"));
  const screen = () => stripVTControlCharacters(seen);
  return {
    keys: (text: string) => terminal.write(text),
    screen,
    ended,
    async until(text: string, times = 1): Promise<void> {
      const look = () => {
        if (screen().split(text).length <= times) throw new Error(`${text} is not to be seen:\n${screen()}`);
      };
      await vi.waitFor(look, { timeout: 90_000, interval: 30 });
    },
  };
}
