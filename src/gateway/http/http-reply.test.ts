import * as fc from "fast-check";
import { ServerResponse, type IncomingMessage } from "node:http";
import { Writable } from "node:stream";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createReply } from "./http-reply.ts";

/** A response whose bytes are kept; `isStuck`: nobody reads them. */
function respond({ isStuck = false, isHead = false } = {}) {
  let text = "";
  const socket = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      if (!isStuck) done();
    },
  });
  const response = new ServerResponse({
    method: isHead ? "HEAD" : "GET",
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  } as IncomingMessage);
  response.useChunkedEncodingByDefault = false;
  response.assignSocket(socket as unknown as Socket);
  return { response, reply: createReply(response, isHead), text: () => text };
}

/** As the standard says, but for what we never send. */
function readEvents(stream: string): Array<{ event: string; data: string }> {
  return stream
    .split("\n\n")
    .filter((block) => block.includes("data:"))
    .map((block) => {
      const lines = block.split(/\r\n|\r|\n/);
      const values = (name: string) =>
        lines
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ""));
      return { event: values("event")[0] ?? "message", data: values("data").join("\n") };
    });
}

describe("an answer", () => {
  it("as events comes out as it went in, whatever lines are in it", () => {
    const data = fc
      .array(fc.oneof(fc.string(), fc.constantFrom("\n", "\r", "\r\n", ":", "data: x", "event: y", "\n\n")))
      .map((parts) => parts.join(""));
    const events = fc.array(fc.record({ event: fc.constantFrom("message", "delta", "done"), data }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(events, (given) => {
        const { reply, text } = respond();
        const stream = reply.events();
        for (const each of given) stream.send(each.data, each.event);
        stream.end();
        const body = text().slice(text().indexOf("\r\n\r\n") + 4);
        const lines = (each: string) => each.replaceAll(/\r\n|\r/g, "\n");
        expect(readEvents(body)).toEqual(given.map((each) => ({ ...each, data: lines(each.data) })));
      }),
    );
  });

  it("as events says so, and a beat is nothing to a reader", () => {
    const { reply, text } = respond();
    const stream = reply.events();
    expect(stream.beat()).toBe(true);
    expect(text()).toContain("content-type: text/event-stream");
    expect(readEvents(text().split("\r\n\r\n")[1] ?? "")).toEqual([]);
  });

  it("GW-11 that nobody reads is cut off, and its producer is told", () => {
    const { reply, response } = respond({ isStuck: true });
    const stream = reply.events();
    let sent = 0;
    while (sent < 100 && stream.send("x".repeat(1024 * 1024))) sent++;
    expect(sent).toBeLessThan(15);
    expect(response.destroyed).toBe(true);
    expect(stream.send("more")).toBe(false);
  });

  it("is sent once", () => {
    const { reply, text } = respond();
    expect(reply.hasBegun()).toBe(false);
    reply.text(200, "one");
    reply.json(500, { two: 2 });
    expect(reply.hasBegun()).toBe(true);
    expect(text()).toContain("one");
    expect(text()).not.toContain("two");
  });

  it("to HEAD has the length and nothing else", () => {
    const { reply, text } = respond({ isHead: true });
    reply.text(200, "hello");
    expect(text()).toContain("content-length: 5");
    expect(text().endsWith("\r\n\r\n")).toBe(true);
  });
});
