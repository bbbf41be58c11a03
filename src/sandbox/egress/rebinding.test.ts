import dgram from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import type { Connect, Lookup } from "./checked-dial.ts";
import { createEgress } from "./create-egress.ts";
import { rejection } from "./testing/local-servers.ts";
import { answering } from "./testing/recorded-egress.ts";

const signal = new AbortController().signal;
const world = "93.184.216.34";
const rules = { allow: [], deny: [], allowPrivate: [] };
const limits = { maxBytes: 1000, timeoutMs: 10_000, maxRedirects: 5 };

/** A name server that answers each question for an address with the next of its list, and the last one from then on. */
let server: dgram.Socket;
let answers: string[];
let questions: number;
let lookup: Lookup;

beforeEach(async () => {
  questions = 0;
  server = dgram.createSocket("udp4", (message, from) =>
    server.send(answerTo(message), from.port, from.address),
  );
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const resolver = new Resolver({ tries: 1, timeout: 20_000 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  lookup = (host) => resolver.resolve4(host);
});
afterEach(() => server.close());

function answerTo(message: Buffer): Buffer {
  const address = answers[Math.min(questions, answers.length - 1)] ?? "";
  questions += 1;
  const questionEnd = message.indexOf(0, 12) + 5;
  const head = Buffer.from([message[0] ?? 0, message[1] ?? 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  // The name of the question again, an address, of the net, not to be kept for a second.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]);
  return Buffer.concat([head, message.subarray(12, questionEnd), record]);
}

/** As the system's own: what is no address is resolved, by the same server. */
function dialling(dialled: string[], text = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"): Connect {
  return ({ address }) => {
    if (net.isIP(address) === 0) void lookup(address).then(([found]) => dialled.push(found ?? ""));
    else dialled.push(address);
    return answering(address, text);
  };
}

describe("a name that leads into the world when it is checked and inside when it is used", () => {
  it("is dialled at the address that was checked, and asked for once", async () => {
    answers = [world, "127.0.0.1"];
    const dialled: string[] = [];
    const egress = createEgress({ rules, limits, clock: systemClock, lookup, connect: dialling(dialled) });
    const { status } = await egress.request({ url: "http://rebind.example/", signal });
    expect([status, dialled, questions]).toEqual([200, [world], 1]);
  });

  it("is refused when the second request finds it inside", async () => {
    answers = [world, "127.0.0.1"];
    const dialled: string[] = [];
    const egress = createEgress({ rules, limits, clock: systemClock, lookup, connect: dialling(dialled) });
    await egress.request({ url: "http://rebind.example/", signal });
    const error = await rejection(egress.request({ url: "http://rebind.example/", signal }));
    expect(error).toMatchObject({ code: "refused" });
    expect(dialled).toEqual([world]);
  });

  it("is refused when a redirect to itself finds it inside", async () => {
    answers = [world, "169.254.169.254"];
    const dialled: string[] = [];
    const again = "HTTP/1.1 302 Found\r\nlocation: http://rebind.example/again\r\ncontent-length: 0\r\n\r\n";
    const connect = dialling(dialled, again);
    const egress = createEgress({ rules, limits, clock: systemClock, lookup, connect });
    const error = await rejection(egress.request({ url: "http://rebind.example/", signal }));
    expect(error).toMatchObject({ code: "refused" });
    expect([dialled, questions]).toEqual([[world], 2]);
  });

  it("is refused for programs just the same", async () => {
    answers = [world, "10.0.0.1"];
    const dialled: string[] = [];
    const egress = createEgress({ rules, limits, clock: systemClock, lookup, connect: dialling(dialled) });
    const to = { host: "rebind.example", port: 443 };
    (await egress.dial(to, { allow: ["rebind.example"] }, signal)).destroy();
    const error = await rejection(egress.dial(to, { allow: ["rebind.example"] }, signal));
    expect(error).toMatchObject({ code: "refused" });
    expect(dialled).toEqual([world]);
  });
});

describe("a connection that leads elsewhere than it was dialled to", () => {
  it.each(["127.0.0.1", "::ffff:10.0.0.1", "93.184.216.35", ""])("is closed: %j", async (reached) => {
    answers = [world];
    const connections: net.Socket[] = [];
    const connect: Connect = () => {
      const connection = answering(reached, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      connections.push(connection as net.Socket);
      return connection;
    };
    const egress = createEgress({ rules, limits, clock: systemClock, lookup, connect });
    const error = await rejection(egress.request({ url: "http://a.example/", signal }));
    expect(error).toMatchObject({ code: "refused" });
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it("is told from another spelling of the same address", async () => {
    answers = [world];
    const connect: Connect = () => answering(`::ffff:${world}`, "HTTP/1.1 204 Nothing\r\n\r\n");
    const egress = createEgress({ rules, limits, clock: systemClock, lookup, connect });
    expect((await egress.request({ url: "http://a.example/", signal })).status).toBe(204);
  });
});
