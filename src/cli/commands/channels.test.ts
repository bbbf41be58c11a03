import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as channels from "./channels.ts";

async function homeWith(config: string) {
  const home = await createCommandHome();
  await mkdir(home.environment["PINCER_HOME"] ?? "", { recursive: true });
  await writeFile(join(home.environment["PINCER_HOME"] ?? "", "config.json5"), config);
  return home;
}

const config = "{ channels: { local: { enabled: true }, telegram: { enabled: false } } }";

it("CLI-22 lists every account of the config, and says that no gateway runs", async () => {
  const home = await homeWith(config);
  const listed = await home.run(channels, "channels", "list");
  expect(listed.out).toMatch(/local +stopped +no gateway is running/);
  expect(listed.out).toMatch(/telegram +off/);
  expect(await home.run(channels, "channels", "status", "--channel", "local")).toMatchObject({ status: 1 });
  expect((await home.runInChinese(channels, "channels", "list")).out).toContain("没有运行网关");
});

it("CLI-22 tells how a running gateway finds them, and ends with 1 when one is red", async () => {
  const home = await homeWith(config);
  await home.startGateway();
  const found = await home.run(channels, "channels", "status", "--json");
  expect(found.status).toBe(0);
  expect(found.json()).toMatchObject({
    channels: [
      { channel: "local", enabled: true, state: "connected" },
      { channel: "telegram", enabled: false, state: "stopped" },
    ],
  });
  const unknown = await home.run(channels, "channels", "status", "--channel", "fax");
  expect(unknown.status).toBe(2);
  expect(unknown.err).toContain("pincer channels list");
});

it("says how to add one where there is none", async () => {
  const home = await homeWith("{}");
  expect(await home.run(channels, "channels", "list")).toMatchObject({ status: 0, out: "" });
  expect((await home.run(channels, "channels", "list")).err).toContain("pincer channels add");
});

it("CLI-22 sets an account up by flags, and takes it out again", async () => {
  const home = await homeWith("{}");
  const inbox = join(home.root, "inbox.jsonl");
  const outbox = join(home.root, "outbox.jsonl");
  const added = await home.run(
    channels,
    "channels",
    "add",
    "local",
    "--set",
    `inbox=${inbox}`,
    "--set",
    `outbox=${outbox}`,
    "--set",
    "allowFrom=ann,bob",
  );
  expect(added).toMatchObject({ status: 0, out: "" });
  expect(added.err).toContain("local is set up.");
  expect(added.err).toContain("pincer gateway run");
  expect(added.err).toMatch(/Send [A-Z2-9]{4}-[A-Z2-9]{4} to it/);
  const listed = await home.run(channels, "channels", "list", "--json");
  expect(listed.json()).toMatchObject({ channels: [{ channel: "local", enabled: true }] });
  const people = await home.run(channels, "channels", "peers", "local", "--json");
  expect(people.json()).toEqual({
    peers: [
      { id: "ann", name: "ann" },
      { id: "bob", name: "bob" },
    ],
    source: "known",
  });
  expect((await home.run(channels, "channels", "groups", "local")).err).toContain("Nobody is known");
  const again = await home.run(channels, "channels", "add", "local", "--set", `inbox=${inbox}`);
  expect(again.status).toBe(2);
  expect(again.err).toContain("--replace");
  const removed = await home.runInChinese(channels, "channels", "remove", "local");
  expect(removed.err).toContain("local 已不在配置中");
  expect((await home.run(channels, "channels", "list")).err).toContain("pincer channels add");
});

it("CLI-22 asks nobody where nobody sits, takes no secret as an argument, and reads one from stdin", async () => {
  const home = await homeWith("{}");
  const missing = await home.run(channels, "channels", "add", "telegram");
  expect(missing.status).toBe(2);
  expect(missing.err).toContain("--stdin");
  const open = await home.run(channels, "channels", "add", "telegram", "--set", "botToken=1:abc");
  expect(open.status).toBe(2);
  expect(open.err).toContain("botToken is a secret");
  const terminal = createFakeTerminal({ stdin: "123456:abcdefghijklmnopqrstuvwxyz\n" });
  const added = await home.runAt(
    terminal,
    channels,
    "channels",
    "add",
    "telegram",
    "--stdin",
    "botToken",
    "--no-test",
    "--no-claim",
    "--json",
  );
  expect(added).toMatchObject({ status: 0 });
  expect(added.out).not.toContain("abcdefghijklmnopqrstuvwxyz");
  expect(added.json()).toMatchObject({
    channel: "telegram",
    secrets: [{ path: "channels.telegram.botToken" }],
    claim: null,
  });
  const file = await readFile(join(home.environment["PINCER_HOME"] ?? "", "config.json5"), "utf8");
  expect(file).toContain("secret:");
  expect(file).not.toContain("abcdefghijklmnopqrstuvwxyz");
});

it("CLI-22 says where to get what is needed, and asks for it without showing it", async () => {
  const home = await homeWith("{}");
  const terminal = createFakeTerminal({ stdin: "123456:abcdefghijklmnopqrstuvwxyz\n", errIsTerminal: true });
  Object.assign(terminal.stdin, { isTTY: true });
  const added = await home.runAtInChinese(terminal, channels, "channels", "add", "telegram", "--no-test");
  expect(added).toMatchObject({ status: 0, out: "" });
  expect(added.err).toContain("给 @BotFather 发消息");
  expect(added.err).toContain("1. 打开 Telegram");
  expect(added.err).toContain("Token of the bot, from @BotFather（botToken；输入内容不会显示）：");
  expect(added.err).toContain("telegram 已设置。");
  expect(added.err).not.toContain("abcdefghijklmnopqrstuvwxyz");
});

it("CLI-22 asks again for what was mistyped, and asks for nothing where the account is there already", async () => {
  const home = await homeWith("{}");
  const typed = createFakeTerminal({ errIsTerminal: true });
  const lines = ["not a token", "123456:abcdefghijklmnopqrstuvwxyz"];
  const stdin = new PassThrough();
  Object.assign(typed, {
    stdin: Object.assign(stdin, { isTTY: true }),
    err(text: string) {
      said.push(text);
      if (text.includes("不会显示")) setImmediate(() => stdin.write(`${lines.shift()}\n`));
    },
  });
  const said: string[] = [];
  const added = await home.runAtInChinese(typed, channels, "channels", "add", "telegram", "--no-test");
  expect(added).toMatchObject({ status: 0 });
  expect(said.join("")).toMatch(/botToken 的格式不对[^]*不会显示[^]*telegram 已设置/);
  expect(said.join("").match(/给 @BotFather 发消息/g)).toHaveLength(1);
  const again = createFakeTerminal({ errIsTerminal: true });
  Object.assign(again.stdin, { isTTY: true });
  const refused = await home.runAt(again, channels, "channels", "add", "telegram");
  expect(refused).toMatchObject({ status: 2, err: expect.stringContaining("--replace") });
  expect(refused.err).not.toContain("BotFather");
});

it("CLI-22 says how an account is in the language of the reader", async () => {
  const home = await homeWith(config);
  await home.startGateway();
  expect((await home.runInChinese(channels, "channels", "list")).out).toMatch(/local +\S*已连接/);
});

it("CLI-22 asks for what is no secret, too", async () => {
  const home = await homeWith("{}");
  const typed = createFakeTerminal({ stdin: "irc.example\n", errIsTerminal: true });
  Object.assign(typed.stdin, { isTTY: true });
  const added = await home.runAt(typed, channels, "channels", "add", "irc", "--set", "nick=pincer");
  expect(added.status).toBe(0);
  const file = await readFile(join(home.environment["PINCER_HOME"] ?? "", "config.json5"), "utf8");
  expect(file).toContain("irc.example");
});
