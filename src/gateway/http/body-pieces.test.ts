import { createHandClock } from "@pincer/sdk/testing";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { bodyPieces } from "./body-pieces.ts";

/** A request whose body the test writes. */
function request(headers: Record<string, string> = {}) {
  const body = new PassThrough({ highWaterMark: 4 });
  return { body, message: Object.assign(body, { headers }) as unknown as IncomingMessage };
}

const limits = { bytes: 10, withinMs: 1000 };
const all = async (pieces: AsyncIterable<Buffer>) => String(Buffer.concat(await Array.fromAsync(pieces)));

it("gives a body as it comes, and no more of it than is asked for", async () => {
  const clock = createHandClock();
  const { body, message } = request();
  body.write("hel");
  const pieces = bodyPieces(message, limits, clock);
  expect(String((await pieces.next()).value)).toBe("hel");
  expect(body.write("lo you")).toBe(false);
  body.end();
  expect(await all(pieces)).toBe("lo you");
  expect(clock.sleeping()).toBe(0);
});

it("GW-11 refuses at once what is announced too large, and as soon as it has become so", async () => {
  const clock = createHandClock();
  const announced = request({ "content-length": "11" });
  await expect(all(bodyPieces(announced.message, limits, clock))).rejects.toMatchObject({ status: 413 });
  const { body, message } = request({ "content-length": "5" });
  body.write("x".repeat(6));
  const pieces = bodyPieces(message, limits, clock);
  expect((await pieces.next()).value).toHaveLength(6);
  body.write("x".repeat(5));
  await expect(pieces.next()).rejects.toMatchObject({ status: 413, headers: { connection: "close" } });
  // The answer goes out by the same connection.
  expect(body.destroyed).toBe(false);
  expect(clock.sleeping()).toBe(0);
});

it("GW-11 waits no longer than its time, however little by little it comes", async () => {
  const clock = createHandClock();
  const { body, message } = request();
  const outcome = all(bodyPieces(message, limits, clock)).catch((error: unknown) => error);
  for (let tenth = 0; tenth < 9; tenth++) {
    body.write("x");
    await clock.advance(100);
  }
  expect(await Promise.race([outcome, Promise.resolve("waiting")])).toBe("waiting");
  await clock.advance(100);
  expect(await outcome).toMatchObject({ status: 408, headers: { connection: "close" } });
});

it.each([["with an error", new Error("reset")], ["without one"]])(
  "says of what breaks off %s that it did",
  async (_how, error?: Error) => {
    const { body, message } = request();
    body.write("x");
    const pieces = bodyPieces(message, limits, createHandClock());
    await pieces.next();
    body.destroy(error);
    await expect(pieces.next()).rejects.toMatchObject({ status: 400 });
  },
);

it("leaves nothing behind where somebody stops asking", async () => {
  const clock = createHandClock();
  const { body, message } = request();
  body.write("x");
  const pieces = bodyPieces(message, limits, clock);
  await pieces.next();
  await pieces.return();
  expect(clock.sleeping()).toBe(0);
  expect(body.destroyed).toBe(false);
});
