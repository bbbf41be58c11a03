import { createHandClock } from "@pincer/sdk/testing";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { parseJson, readBody } from "./read-body.ts";

/** A request whose body the test writes. */
function request(headers: Record<string, string> = {}) {
  const body = new PassThrough();
  return { body, message: Object.assign(body, { headers }) as unknown as IncomingMessage };
}

const limits = { bytes: 10, withinMs: 1000 };

describe("the body of a request", () => {
  it("is read whole", async () => {
    const { body, message } = request();
    const reading = readBody(message, limits, createHandClock());
    body.write("hel");
    body.end("lo");
    expect(String(await reading)).toBe("hello");
  });

  it("GW-11 is refused at once where it is announced too large, and as soon as it has become so", async () => {
    const announced = request({ "content-length": "11" });
    await expect(readBody(announced.message, limits, createHandClock())).rejects.toMatchObject({
      status: 413,
    });
    const lying = request({ "content-length": "5" });
    const reading = readBody(lying.message, limits, createHandClock());
    lying.body.write("x".repeat(11));
    await expect(reading).rejects.toMatchObject({ status: 413, headers: { connection: "close" } });
  });

  it("GW-11 is not waited for longer than its time, however little by little it comes", async () => {
    const clock = createHandClock();
    const { body, message } = request();
    const reading = readBody(message, limits, clock);
    const outcome = reading.catch((error: unknown) => error);
    for (let second = 0; second < 9; second++) {
      body.write("x");
      await clock.advance(100);
    }
    expect(await Promise.race([outcome, Promise.resolve("waiting")])).toBe("waiting");
    await clock.advance(100);
    expect(await outcome).toMatchObject({ status: 408, headers: { connection: "close" } });
  });

  it("that breaks off is the sender's failure", async () => {
    const { body, message } = request();
    const reading = readBody(message, limits, createHandClock());
    body.destroy(new Error("reset"));
    await expect(reading).rejects.toMatchObject({ status: 400 });
  });

  it("sleeps no longer than it reads", async () => {
    const clock = createHandClock();
    const { body, message } = request();
    body.end("x");
    await readBody(message, limits, clock);
    expect(clock.sleeping()).toBe(0);
  });

  it("sleeps no longer than it reads what is refused or breaks off", async () => {
    const clock = createHandClock();
    const [large, broken] = [request(), request()];
    const readings = [large, broken].map(({ message }) => readBody(message, limits, clock));
    large.body.write("x".repeat(11));
    broken.body.destroy(new Error("reset"));
    const outcomes = await Promise.allSettled(readings);
    expect(outcomes).toMatchObject([{ reason: { status: 413 } }, { reason: { status: 400 } }]);
    expect(clock.sleeping()).toBe(0);
  });
});

describe("JSON in a body", () => {
  it.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/ld+json"])(
    "is taken with the type %s",
    (type) => {
      expect(parseJson(type, Buffer.from("[1]"))).toEqual([1]);
    },
  );

  it.each([
    undefined,
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/plain; application/json",
    "application/jsonp",
    "application/javascript",
  ])("GW-11 is refused with the type %s, which a page of another place could send", (type) => {
    expect(() => parseJson(type, Buffer.from("[1]"))).toThrow("Content-Type");
  });

  it("must be UTF-8", () => {
    expect(() => parseJson("application/json", Buffer.from([0x22, 0xff, 0x22]))).toThrow("not valid JSON");
  });
});
