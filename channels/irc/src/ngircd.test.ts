import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { ChannelConnection, OutboundMessage } from "@pincer/sdk";
import { createRecordingHost, type RecordingHost } from "@pincer/sdk/testing";
import { Default } from "typebox/value";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasProgram } from "../../../scripts/system-programs.ts";
import { startNgircd, type Ngircd, type Person } from "../testing/ngircd.ts";
import { ircChannel } from "./irc-channel.ts";

describe.skipIf(!hasProgram("ngircd"))("the IRC channel on a real ngircd", { timeout: 60_000 }, () => {
  let server: Ngircd;
  let ann: Person;
  const connections: ChannelConnection[] = [];
  const hosts: RecordingHost[] = [];
  beforeAll(async () => {
    server = await startNgircd();
    ann = await server.person("ann");
  }, 60_000);
  afterEach(async () => {
    for (const host of hosts.splice(0)) host.stop();
    for (const connection of connections.splice(0)) await connection.close();
  });
  afterAll(() => server.close());

  async function connect(more: object) {
    const host = createRecordingHost();
    const given = { server: "127.0.0.1", port: server.port, tls: false, paceMs: 200, ...more };
    const connection = await ircChannel.connect(Default(ircChannel.config, given), host);
    hosts.push(host);
    connections.push(connection);
    return { host, connection };
  }
  const attempt = { idempotencyKey: "k", attempt: 1, signal: new AbortController().signal };
  const outbound = (target: OutboundMessage["target"], text: string): OutboundMessage => ({
    channel: "irc",
    accountId: "default",
    target,
    response: { text, attachments: [] },
  });

  it("CHAN-19 answers in a query, to the very mask that asked", async () => {
    const { host, connection } = await connect({ nick: "queried" });
    ann.write("PRIVMSG queried :hello 你好");
    await host.until(1);
    const [message] = host.received;
    expect(message).toMatchObject({
      sender: { id: "ann!~ann@127.0.0.1", isUnproven: true },
      message: { text: "hello 你好" },
    });
    await connection.send(
      outbound({ peerKind: "user", peerId: message?.peer.id ?? "" }, "**hi** ann"),
      attempt,
    );
    expect(await ann.until(/PRIVMSG ann/)).toMatch(/^:queried!~pincer@127\.0\.0\.1 PRIVMSG ann :hi ann$/);
  });

  it("CHAN-19 joins its channel, hears who speaks to it, and answers there", async () => {
    const { host, connection } = await connect({ nick: "joiner", channels: ["#home"] });
    ann.write("JOIN #home");
    await ann.until(/ 366 .*#home/);
    ann.write("PRIVMSG #home :nothing to do with you");
    ann.write("PRIVMSG #home :joiner: what time is it?");
    await host.until(2);
    expect(host.received).toMatchObject([
      { peer: { kind: "group", id: "#home" }, message: { mentioned: false } },
      { peer: { kind: "group", id: "#home" }, message: { mentioned: true, text: "what time is it?" } },
    ]);
    await connection.send(outbound({ peerKind: "group", peerId: "#home" }, "late"), attempt);
    expect(await ann.until(/PRIVMSG #home :late/)).toContain("joiner");
  });

  it("CHAN-25 shows a long answer whole, no line cut by the server", async () => {
    const { connection } = await connect({ nick: "talker", channels: ["#long"], paceMs: 0 });
    ann.write("JOIN #long");
    await ann.until(/ 366 .*#long/);
    const text = `${"word ".repeat(60)}${"汉字".repeat(90)}${"👩‍👩‍👧‍👦".repeat(20)} end`;
    await connection.send(outbound({ peerKind: "group", peerId: "#long" }, text), attempt);
    await ann.until(/PRIVMSG #long :.*end$/);
    const shown = ann.lines
      .filter((line) => line.includes("PRIVMSG #long"))
      .map((line) => line.split(" :")[1] ?? "");
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  });

  it("takes another nick when its own is in use", async () => {
    const { host } = await connect({ nick: "ann" });
    ann.write("PRIVMSG ann_ :hello");
    await host.until(1);
    expect(host.received[0]?.message).toMatchObject({ text: "hello", mentioned: true });
  });

  it("writes to nobody who has the nick of somebody who left", async () => {
    const { host, connection } = await connect({ nick: "careful" });
    const bob = await server.person("bob");
    bob.write("PRIVMSG careful :tell me later");
    await host.until(1);
    const target = { peerKind: "user" as const, peerId: host.received[0]?.peer.id ?? "" };
    bob.write("QUIT");
    await bob.until(/ERROR|QUIT/);
    await expect(connection.send(outbound(target, "secret"), attempt)).rejects.toMatchObject({
      code: "unavailable",
    });
    const other = await server.person("other");
    other.write("NICK bob");
    await other.until(/NICK :bob/);
    await expect(connection.send(outbound(target, "secret"), attempt)).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(other.lines.join()).not.toContain("secret");
  });

  it("encrypts, and goes no further with a certificate that nobody vouches for", async () => {
    const overTls = { server: "localhost", port: server.tlsPort, tls: true, nick: "hidden" };
    await expect(connect(overTls)).rejects.toMatchObject({ code: "rejected" });
    const usual = getCACertificates("default");
    setDefaultCACertificates([...usual, server.certificate]);
    try {
      const { host } = await connect(overTls);
      ann.write("PRIVMSG hidden :psst");
      await host.until(1);
      expect(host.received[0]?.message).toMatchObject({ text: "psst" });
    } finally {
      setDefaultCACertificates(usual);
    }
  });

  it("PLUG-06 says that it was lost when the server dies, and connects again when it is back", async () => {
    const { host } = await connect({ nick: "lasting" });
    await server.restart();
    await expect.poll(() => host.lostReasons.length).toBe(1);
    const again = await connect({ nick: "lasting" });
    ann = await server.person("ann");
    ann.write("PRIVMSG lasting :back?");
    await again.host.until(1);
    expect(again.host.received[0]?.message).toMatchObject({ text: "back?" });
  });
});
