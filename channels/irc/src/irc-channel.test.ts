import { SendError, type ChannelConnection, type OutboundMessage } from "@pincer/sdk";
import { createHandClock, createRecordingHost, type RecordingHost } from "@pincer/sdk/testing";
import { describeChannelContract } from "@pincer/sdk/testing/contracts";
import * as fc from "fast-check";
import { Check, Default } from "typebox/value";
import { afterEach, describe, expect, it } from "vitest";
import { startIrcServer, type IrcServer, type ServerOptions } from "../testing/irc-server.ts";
import { ircChannel } from "./irc-channel.ts";
import type { IrcConfig } from "./irc-config.ts";

const configFor = (port: number, more: Partial<IrcConfig> = {}): IrcConfig => {
  const given = { server: "127.0.0.1", port, tls: false, nick: "pincer", paceMs: 0, ...more };
  return Default(ircChannel.config, given) as IrcConfig;
};
const person = (account: string) => ({ user: "~u", host: `${account}.test`, account });

describeChannelContract("the IRC channel, behind a bouncer that remembers", async () => {
  const server = await startIrcServer({ people: { ann: person("ann"), bob: person("bob") } });
  let seconds = 0;
  return {
    channel: ircChannel,
    config: configFor(server.port),
    write: async ({ id, text, chat }) => {
      const time = new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString();
      server.say(
        `@msgid=${id};account=${chat};time=${time} :${chat}!~u@${chat}.test PRIVMSG pincer :${text}`,
      );
    },
    seen: async (chat) =>
      server.shown.filter((each) => each.startsWith(`${chat} `)).map((each) => each.slice(chat.length + 1)),
    failNextSend: (code) => {
      server.failNext({ "rate-limited": "439", unavailable: "401", rejected: "531", closed: "cut" }[code]);
    },
    close: server.close,
  };
});

describe("the IRC channel", () => {
  let server: IrcServer;
  let host: RecordingHost;
  let connection: ChannelConnection | undefined;
  async function connect(more: Partial<IrcConfig> = {}, options: Partial<ServerOptions> = {}) {
    server = await startIrcServer({ people: { ann: person("ann") }, ...options });
    host = createRecordingHost();
    connection = await ircChannel.connect(configFor(server.port, more), host);
    return connection;
  }
  afterEach(async () => {
    host.stop();
    await connection?.close();
    connection = undefined;
    await server.close();
  });
  const outbound = (peerId: string, text: string, peerKind: "user" | "group" = "user"): OutboundMessage => ({
    channel: "irc",
    accountId: "default",
    target: { peerKind, peerId },
    response: { text, attachments: [] },
  });
  const attempt = { idempotencyKey: "k", attempt: 1, signal: new AbortController().signal };
  const say = (words: string, { to = "pincer", from = "ann!~u@ann.test", tags = "account=ann" } = {}) =>
    server.say(`@${tags} :${from} PRIVMSG ${to} :${words}`);

  it("knows people by their account, and without one by a mask that proves nothing", async () => {
    await connect({ channels: ["#home"] });
    say("hi");
    say("hi", { from: "bob!~b@1.2.3.4", tags: "time=2026-01-01T00:00:00.000Z" });
    say("hi", { from: "eve!~e@1.2.3.4", tags: "account=ann!~u@ann.test" });
    say("hi", { from: "eve!~e@1.2.3.4", tags: "account=*" });
    await host.until(4);
    expect(host.received.map(({ peer, sender }) => ({ peer: peer.id, ...sender }))).toEqual([
      { peer: "ann", id: "ann", name: "ann" },
      { peer: "bob!~b@1.2.3.4", id: "bob!~b@1.2.3.4", name: "bob", isUnproven: true },
      { peer: "eve!~e@1.2.3.4", id: "eve!~e@1.2.3.4", name: "eve", isUnproven: true },
      { peer: "eve!~e@1.2.3.4", id: "eve!~e@1.2.3.4", name: "eve", isUnproven: true },
    ]);
    expect(host.received[1]?.timestamp).toBe(Date.UTC(2026, 0, 1));
  });

  it.each([
    ["pincer: hello", true, "hello"],
    ["hey Pincer!", true, "hey Pincer!"],
    ["pincers are tools", false, "pincers are tools"],
    ["my-pincer broke", false, "my-pincer broke"],
    ["\x02\x0304,01pincer\x0f, /status", true, "/status"],
    ["\x01ACTION pokes pincer\x01", true, "* ann pokes pincer"],
  ])("ROUTE-01 in a channel %j speaks to us: %s", async (words, mentioned, text) => {
    await connect({ channels: ["#Home key"] });
    await server.until(/^JOIN #Home :key$/);
    say(words, { to: "#home" });
    await host.until(1);
    expect(host.received[0]).toMatchObject({
      peer: { kind: "group", id: "#Home" },
      message: { mentioned, text },
    });
  });

  it("hears neither servers, nor notices, nor itself, nor programs, nor places where it is not", async () => {
    await connect({ channels: ["#home"] });
    server.say(":irc.test PRIVMSG pincer :from a server");
    server.say(":ann!~u@ann.test NOTICE pincer :a notice");
    say("echo", { from: "pincer!~pincer@client.test" });
    say("\x01VERSION\x01");
    say("elsewhere", { to: "#other" });
    say("   ");
    say("a person");
    await host.until(1);
    expect(host.deliveries.map(({ message }) => message)).toMatchObject([{ text: "a person" }]);
    expect(server.lines.filter((line) => /^(NOTICE|PRIVMSG)/.test(line))).toEqual([]);
  });

  it("PROTO-11 tells two equal lines apart, and knows a line that a bouncer tells again", async () => {
    const config = {};
    await connect(config);
    say("same", { tags: "time=2026-01-01T00:00:00.000Z" });
    say("same", { tags: "time=2026-01-01T00:00:00.000Z" });
    say("same", { tags: "account=ann" });
    say("same", { tags: "account=ann" });
    await host.until(4);
    const ids = host.received.map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(4);
    await connection?.close();
    connection = await ircChannel.connect(configFor(server.port), host);
    await host.untilDelivered(8);
    expect(host.deliveries.slice(4, 6).map(({ message }) => message.id)).toEqual(ids.slice(0, 2));
  });

  it("PROTO-11 stores again and again what could not be stored, in order", async () => {
    await connect();
    host.refuse = new Error("the disk is full");
    say("one");
    say("two");
    await host.untilDelivered(1);
    host.refuse = undefined;
    await host.until(2);
    expect(host.received.map(({ message }) => message)).toMatchObject([{ text: "one" }, { text: "two" }]);
  });

  it("writes to nobody who took a nick meanwhile", async () => {
    const { send } = await connect();
    say("the number, please");
    await host.until(1);
    server.options.people = { ann: { user: "~e", host: "eve.test" } };
    await expect(send(outbound("ann", "4711"), attempt)).rejects.toMatchObject({ code: "unavailable" });
    server.options.people = { ann: { user: "~e", host: "eve.test", account: "eve" } };
    await expect(send(outbound("ann", "4711"), attempt)).rejects.toMatchObject({ code: "unavailable" });
    await expect(send(outbound("ann!~u@ann.test", "4711"), attempt)).rejects.toMatchObject({
      code: "unavailable",
    });
    server.options.people = {};
    await expect(send(outbound("ann", "4711"), attempt)).rejects.toMatchObject({ code: "unavailable" });
    expect(server.shown).toEqual([]);
  });

  it("finds an account under the nick that it was last heard with", async () => {
    const { send } = await connect({}, { people: { ann_away: person("ann") } });
    say("hi", { from: "ann_away!~u@ann.test" });
    await host.until(1);
    await send(outbound("ann", "hello"), attempt);
    expect(server.shown).toEqual(["ann_away hello"]);
  });

  it("lets no text end its line, and no name either", async () => {
    const { send } = await connect({ channels: ["#home"] });
    await send(outbound("ann", "one\r\nQUIT :bye\0\rJOIN #evil\x01DCC\u2028x"), attempt);
    expect(server.lines.filter((line) => /^(QUIT|JOIN #evil)/.test(line))).toEqual([]);
    expect(server.shown.filter((line) => /\p{Cc}/u.test(line))).toEqual([]);
    for (const name of ["ann\r\nQUIT", "ann QUIT", "ann,bob", "#home", "$*", ":ann", "", "*"]) {
      await expect(send(outbound(name, "x"), attempt)).rejects.toMatchObject({ code: "rejected" });
    }
    await expect(send(outbound("#other", "x", "group"), attempt)).rejects.toMatchObject({ code: "rejected" });
    expect(server.lines.filter((line) => line.startsWith("QUIT"))).toEqual([]);
  });

  it("writes to a channel that it is in, and says when it is not", async () => {
    const { send } = await connect({ channels: ["#home"] });
    await send(outbound("#home", "hello", "group"), attempt);
    server.tell(":op!~o@op.test KICK #home pincer :out\r\n");
    await expect
      .poll(() => send(outbound("#home", "x", "group"), attempt).catch((error: SendError) => error.code))
      .toBe("unavailable");
    expect(server.shown[0]).toBe("#home hello");
  });

  it("takes another nick when its own is taken, and answers to both", async () => {
    await connect({ channels: ["#home"] }, { taken: ["pincer", "pincer_"] });
    say("pincer: hello", { to: "#home" });
    say("hello", { to: "pincer__" });
    await host.until(2);
    expect(
      host.received.map(({ peer, message }) => [peer.kind, message.type === "text" && message.mentioned]),
    ).toEqual([
      ["group", true],
      ["user", true],
    ]);
    expect(server.lines).toContain("NICK :pincer__");
  });

  it("gives up when every nick like it is taken", async () => {
    const taken = [0, 1, 2, 3, 4, 5].map((count) => `pincer${"_".repeat(count)}`);
    await expect(connect({}, { taken })).rejects.toMatchObject({ code: "rejected" });
  });

  describe("logging in", () => {
    const login = { account: "pincer", password: "s3cret" };

    it("sends account and password by SASL before it is in", async () => {
      await connect({ password: "s3cret" }, { login });
      expect(server.lines).toContain("AUTHENTICATE PLAIN");
    });

    it("goes no further with a wrong password, or without SASL", async () => {
      await expect(connect({ password: "wrong" }, { login })).rejects.toThrow(/login was refused/);
      await server.close();
      await expect(connect({ password: "s3cret" }, { capabilities: "" })).rejects.toMatchObject({
        code: "rejected",
      });
      expect(server.lines.join("\n")).not.toContain("s3cret");
    });

    it("tells NickServ only where that was asked for", async () => {
      await connect({ password: "s3cret", login: "nickserv", account: "bot" });
      await server.until(/^PRIVMSG NickServ :IDENTIFY bot s3cret$/);
      expect(server.lines).not.toContain("AUTHENTICATE PLAIN");
    });

    it("lets no password end its line", async () => {
      await connect({ password: "x\r\nQUIT :bye", login: "nickserv" });
      await server.until(/^PRIVMSG NickServ/);
      expect(server.lines.filter((line) => line.startsWith("QUIT"))).toEqual([]);
    });

    it("shows the password of the server to the server alone", async () => {
      await connect({ serverPassword: "door" }, { serverPassword: "door", login });
      expect(server.lines).not.toContain("AUTHENTICATE PLAIN");
      await connection?.close();
      await server.close();
      await expect(connect({ serverPassword: "no" }, { serverPassword: "door" })).rejects.toMatchObject({
        code: "rejected",
      });
    });

    it("sends no password in the open", async () => {
      await connect();
      const config = configFor(1, { server: "irc.example", password: "s3cret" });
      await expect(ircChannel.connect(config, host)).rejects.toThrow(/without TLS/);
    });
  });

  it("CHAN-19 hears the answers to its questions, and says when they stop", async () => {
    server = await startIrcServer();
    const clock = createHandClock();
    host = createRecordingHost({ clock });
    connection = await ircChannel.connect(configFor(server.port), host);
    expect(connection.heartbeatSeconds).toBe(30);
    // Two lines about capabilities, the welcome, and the answers to the library's question and to two of ours.
    await expect.poll(() => host.signs).toBe(6);
    await clock.advance(20_000);
    await server.until(/^PING :pincer-3$/);
    await expect.poll(() => host.signs).toBe(7);
    expect(host.lostReasons).toEqual([]);
    server.options.isSilent = true;
    await clock.advance(20_000);
    await server.until(/^PING :pincer-4$/);
    const { signs } = host;
    await clock.advance(20_000);
    await expect.poll(() => host.lostReasons).toEqual(["the server no longer answers"]);
    expect(host.signs).toBe(signs);
  });

  it("PLUG-06 says why the connection was lost, once", async () => {
    await connect();
    // As above: after these nothing comes unasked.
    await expect.poll(() => host.signs).toBe(6);
    server.tell("ERROR :Closing link: \x02excess flood\r\n");
    await expect.poll(() => host.signs).toBe(7);
    server.cut();
    await expect.poll(() => host.lostReasons).toEqual(["Closing link: excess flood"]);
    await expect(connection?.send(outbound("ann", "x"), attempt)).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  it("PLUG-06 cannot connect where nobody listens, and stops when it is told to", async () => {
    await connect();
    const port = server.port;
    await connection?.close();
    await server.close();
    await expect(ircChannel.connect(configFor(port), host)).rejects.toMatchObject({ code: "unavailable" });
    server = await startIrcServer({ isSilent: true });
    const connecting = ircChannel.connect(configFor(server.port), host);
    await server.until(/^NICK/);
    host.stop();
    await expect(connecting).rejects.toBeInstanceOf(SendError);
  });

  it("CHAN-25 keeps to its pace, and leaves the host to wait where that takes too long", async () => {
    server = await startIrcServer({ people: { ann: person("ann") } });
    const clock = createHandClock();
    host = createRecordingHost({ clock });
    connection = await ircChannel.connect(configFor(server.port, { paceMs: 1000 }), host);
    const text = Array.from({ length: 12 }, (_, line) => `line ${line}`).join("\n\n");
    const first = connection.send(outbound("ann", text), attempt);
    // The question who ann is counts too.
    await expect.poll(() => server.shown.length).toBe(4);
    await expect.poll(() => clock.sleeping()).toBe(2);
    await clock.advance(999);
    expect(server.shown).toHaveLength(4);
    await clock.advance(7001);
    await first;
    expect(server.shown).toHaveLength(12);
    const second = connection.send(outbound("ann", text), attempt);
    const others = Array.from({ length: 4 }, () => connection?.send(outbound("ann", "x"), attempt));
    const late = connection.send(outbound("ann", "too many"), attempt);
    await expect(late).rejects.toMatchObject({ code: "rate-limited", retryAfterMs: 6000 });
    const progress = { isOver: false };
    const sent = Promise.all([second, ...others]).finally(() => (progress.isOver = true));
    // The clock stands while the server has not answered: then only the keep-alive sleeps.
    for (let seconds = 0; !progress.isOver && seconds < 60; seconds++) {
      await expect.poll(() => progress.isOver || clock.sleeping() > 1).toBe(true);
      await clock.advance(1000);
    }
    await sent;
    expect(server.shown).toHaveLength(28);
  });

  it("survives whatever the server says", async () => {
    await connect();
    const junk = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(
        "PRIVMSG",
        ":x PRIVMSG",
        "PING",
        "CAP",
        "CAP * LS",
        "MODE",
        ":a!b@c PRIVMSG pincer",
        "005",
      ),
      fc.constantFrom("433", "001", "311", "318", "330", "BATCH", "BATCH +a", "352 x", "364 x y z", "324"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(junk, { maxLength: 20 }), async (lines) => {
        server.tell(`${lines.join("\r\n")}\r\n`);
      }),
      { numRuns: 100 },
    );
    server.tell("PRIVMSG\r\n");
    say("still there?");
    await expect
      .poll(() =>
        host.received.some(({ message }) => message.type === "text" && message.text === "still there?"),
      )
      .toBe(true);
    // The library would have printed it.
    expect(host.logged.join()).toContain("a line of the server was skipped");
  });

  it("ends a connection whose line has no end", async () => {
    await connect();
    server.tell(Buffer.alloc(20_000, 65));
    await expect.poll(() => host.lostReasons).toEqual(["the server sent an endless line"]);
  });

  it.each([
    [{ nick: "pincer\r\nQUIT" }],
    [{ nick: "two words" }],
    [{ nick: "" }],
    [{ channels: ["home"] }],
    [{ channels: ["#a,#b"] }],
    [{ channels: ["#a\r\nQUIT"] }],
    [{ port: 0 }],
    [{ account: "a b" }],
    [{ paceMs: 9000 }],
  ])("CFG-11 refuses the config %j", async (more) => {
    await connect();
    expect(Check(ircChannel.config, configFor(6667, more as Partial<IrcConfig>))).toBe(false);
    expect(Check(ircChannel.config, configFor(6667))).toBe(true);
  });
});
