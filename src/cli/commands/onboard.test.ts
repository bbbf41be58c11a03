import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startPickyServer } from "../../operate/setup/testing/picky-server.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import { wrap } from "../questions.ts";
import * as auth from "./auth.ts";
import * as onboard from "./onboard.ts";

const withKey = (home: CommandHome, key: string, ...args: string[]) =>
  runCommand(onboard, args, {
    environment: { ...home.environment, MY_KEY: key },
    cwd: home.root,
  });

/** The flags that name a model of a server, and where its key is. */
const modelAt = (baseUrl: string) =>
  `--provider mine --base-url ${baseUrl} --model small --key-env MY_KEY`.split(" ");

const configOf = (home: CommandHome) =>
  readFile(join(home.root, "home", "config.json5"), "utf8").catch(() => "");

describe("onboarding without anybody to ask", { timeout: 30_000 }, () => {
  it("CLI-19 never waits: it says which flag is missing, and writes nothing", async () => {
    const home = await createCommandHome();
    for (const args of [
      ["onboard"],
      ["setup"],
      ["onboard", "--yes"],
      ["onboard", "--json"],
      ["configure", "model"],
    ]) {
      const ran = await home.run(onboard, ...args);
      expect(ran).toMatchObject({ status: 2 });
      expect(ran.err).toContain("--take, --provider, --skip model");
    }
    expect(await configOf(home)).toBe("");
    const inChinese = await home.runInChinese(onboard, "onboard");
    expect(inChinese.err).toContain("缺少选项");
  });

  it("CLI-19 goes the whole way by flags, with a real answer at its end, and finds everything done the next time", async () => {
    const server = await startPickyServer();
    const home = await createCommandHome();
    const ran = await withKey(
      home,
      "right-key",
      "onboard",
      "--json",
      ...modelAt(server.baseUrl),
      "--name",
      "Ada",
      "--no-service",
    );
    expect(ran).toMatchObject({ status: 0, err: "" });
    expect(ran.json()).toMatchObject({
      status: { done: true, model: { reference: "mine/small", ready: true }, assistant: { name: "Ada" } },
      model: { ok: true, credential: "mine:default" },
      name: "Ada",
      answer: "ok",
    });
    expect(ran.out + (await configOf(home))).not.toContain("right-key");
    const again = await home.run(onboard, "onboard", "--message", "hi");
    expect(again).toMatchObject({ status: 0, out: "ok\n" });
    expect(again.err).toContain("mine/small answers");
    expect(again.err).toContain("the assistant is called Ada");
  });

  it("reads a key from stdin, and refuses one that is not there", async () => {
    const server = await startPickyServer();
    const home = await createCommandHome();
    const args = [
      "onboard",
      "--yes",
      "--provider",
      "mine",
      "--base-url",
      server.baseUrl,
      "--key-stdin",
      "--no-message",
    ];
    const piped = createFakeTerminal({ stdin: "right-key\n" });
    expect(await home.runAt(piped, onboard, ...args)).toMatchObject({ status: 0 });
    const empty = await home.run(
      onboard,
      "onboard",
      "--yes",
      "--provider",
      "mine",
      "--key-env",
      "NOBODY_SET_THIS",
    );
    expect(empty).toMatchObject({ status: 2 });
    expect(empty.err).toContain("NOBODY_SET_THIS is empty");
  });

  it("says what is wrong with a model and what to do next, and keeps nothing of it", async () => {
    const server = await startPickyServer();
    const home = await createCommandHome();
    const ran = await withKey(home, "wrong-key", "onboard", "--json", ...modelAt(server.baseUrl));
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.json()).toMatchObject({ error: { code: "model/failed" } });
    expect(ran.err).toContain("Check the key");
    expect(ran.err).toContain("docs/guides/models.md");
    expect(ran.err).not.toContain("wrong-key");
    expect(await configOf(home)).toBe("");
    expect((await home.run(auth, "auth", "status", "--json")).json()).toMatchObject({ credentials: [] });
  });

  it("takes what lies in the environment only when told to", async () => {
    const home = await createCommandHome();
    const environment = { ...home.environment, OPENAI_API_KEY: "sk-lying-around" };
    const asked = await runCommand(onboard, ["onboard", "--yes"], { environment, cwd: home.root });
    expect(asked).toMatchObject({ status: 2 });
    expect(asked.err).toContain("environment:openai:OPENAI_API_KEY");
    expect(asked.err).not.toContain("sk-lying-around");
    const { json } = await home.run(auth, "auth", "status", "--json");
    expect(json()).toMatchObject({ credentials: [] });
    const none = await home.run(onboard, "onboard", "--yes", "--take", "first");
    expect(none).toMatchObject({ status: 2 });
    expect(none.err).toContain("no model was found");
  });

  it("finds the keys of this terminal, too, where a gateway that has none of them runs", async () => {
    const home = await createCommandHome();
    await home.startGateway();
    const environment = { ...home.environment, OPENAI_API_KEY: "sk-lying-around" };
    const asked = await runCommand(onboard, ["onboard", "--yes"], { environment, cwd: home.root });
    expect(asked.err).toContain("here:openai:OPENAI_API_KEY");
  });

  it("leaves out what nobody wants, and says where the next commands are", async () => {
    const home = await createCommandHome();
    const ran = await home.run(
      onboard,
      "onboard",
      "--yes",
      "--skip",
      "model",
      "channel",
      "service",
      "--no-message",
    );
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.err).toContain("pincer gateway start --daemon");
    const again = (await home.run(onboard, "onboard", "--json", "--no-message")).json();
    expect(again).toMatchObject({ status: { done: true, next: "assistant" }, answer: null });
  });

  it("refuses flags that do not go together, and a channel without its token", async () => {
    const home = await createCommandHome();
    const both = [
      ["--key-stdin", "--token-stdin"],
      ["--key-stdin", "--key-env", "X"],
      ["--token-stdin", "--token-env", "X"],
      ["--take", "first", "--provider", "mine"],
      ["--service", "--background"],
      ["--key-stdin"],
    ];
    for (const args of both) expect(await home.run(onboard, "onboard", ...args)).toMatchObject({ status: 2 });
    const channel = await home.run(onboard, "configure", "channel", "--channel", "telegram");
    expect(channel).toMatchObject({ status: 2 });
    expect(channel.err).toContain("--token-stdin, --token-env");
    const clear = await home.run(
      onboard,
      "configure",
      "channel",
      "--channel",
      "telegram",
      "--set",
      "botToken=1:x",
    );
    expect(clear).toMatchObject({ status: 2 });
  });
});

describe("configuring one part", { timeout: 30_000 }, () => {
  it("CLI-19 asks which part, where nobody can be asked says which there are", async () => {
    const home = await createCommandHome();
    const ran = await home.run(onboard, "configure");
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.err).toContain("model, assistant, channel, service, access");
    expect(await home.run(onboard, "configure", "kitchen")).toMatchObject({ status: 2 });
  });

  it("names the assistant anew although it has a name", async () => {
    const home = await createCommandHome();
    await home.run(onboard, "configure", "assistant", "--name", "Ada");
    const ran = await home.run(onboard, "configure", "assistant", "--name", "Grace", "--json");
    expect(ran.json()).toMatchObject({ name: "Grace", status: { assistant: { name: "Grace" } } });
  });

  it("gives no link where no page is served", async () => {
    const home = await createCommandHome();
    const ran = await home.run(onboard, "configure", "access");
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.err).toContain("gateway start --daemon");
  });
});

it("breaks lines between words, and leaves long words whole", () => {
  expect(wrap("a bb ccc\ndddddddddd e", 5)).toBe("a bb\nccc\ndddddddddd\ne");
});

it("breaks Chinese by the cells that it takes, and never before a mark that ends something", () => {
  expect(wrap("给 @BotFather 发消息。请保密", 14)).toBe("给 @BotFather\n发消息。请保密");
  expect(wrap("请保密：谁持有", 6)).toBe("请保\n密：谁\n持有");
});
