import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EgressError } from "./egress.ts";
import { closedHosts, closedUrls, openUrls, resolvable } from "./testing/address-spellings.ts";
import { recordedEgress } from "./testing/recorded-egress.ts";

const signal = new AbortController().signal;

const spellings = [...closedHosts.map((host) => `http://${host}/`), ...closedUrls];

describe("the spellings of addresses", () => {
  it("are more than two hundred, each of them once", () => {
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings.length).toBeGreaterThan(200);
  });

  it.each(spellings)("does not dial %j", async (url) => {
    const { egress, dialled } = recordedEgress(resolvable);
    const error = await egress.request({ url, signal }).catch((thrown: unknown) => thrown);
    expect(dialled).toEqual([]);
    expect(error).toBeInstanceOf(EgressError);
  });

  it.each(closedHosts)("does not dial %j for a program either", async (host) => {
    const { egress, dialled } = recordedEgress(resolvable);
    const error = await egress
      .dial({ host, port: 80 }, { allow: ["*"] }, signal)
      .catch((thrown: unknown) => thrown);
    expect(dialled).toEqual([]);
    expect(error).toBeInstanceOf(EgressError);
  });

  it.each(openUrls)("dials %j as %s", async (url, address) => {
    const { egress, dialled } = recordedEgress(resolvable);
    // Nobody speaks TLS behind the recorded connections.
    await egress.request({ url, signal }).catch(() => undefined);
    expect(dialled[0]).toBe(address);
  });

  it("says nothing of the inside when it refuses", async () => {
    const { egress } = recordedEgress({ "inside.example": ["10.11.12.13"] });
    const error: unknown = await egress
      .request({ url: "http://inside.example/", signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "refused", message: expect.stringContaining("inside.example") });
    expect(String(error)).not.toContain("10.11");
  });
});

const byte = fc.nat({ max: 255 });
const rest = fc.tuple(byte, byte, byte);
/** Four bytes of an address of IPv4 that is not out in the world. */
const closed4 = fc.oneof(
  rest.map((tail) => [127, ...tail]),
  rest.map((tail) => [10, ...tail]),
  rest.map((tail) => [0, ...tail]),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);

const numberOf = (bytes: readonly number[]) => bytes.reduce((value, next) => value * 256 + next, 0);
const hex4 = (high = 0, low = 0) => (high * 256 + low).toString(16);
const groups = ([a, b, c, d]: readonly number[]) => `${hex4(a, b)}:${hex4(c, d)}`;
const inBase = (value: number, base: number) =>
  base === 16 ? `0x${value.toString(16)}` : base === 8 ? `0${value.toString(8)}` : String(value);

const spelled = fc
  .tuple(closed4, fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }), fc.nat({ max: 12 }))
  .map(([bytes, bases, way]) => {
    const dotted = bytes.join(".");
    const parts = (last: number) =>
      [...bytes.slice(0, last - 1), numberOf(bytes.slice(last - 1))]
        .map((value, index) => inBase(value, bases[index] ?? 10))
        .join(".");
    const ways = [
      () => parts(4),
      () => parts(3),
      () => parts(2),
      () => parts(1),
      () => `${dotted}.`,
      () => dotted.replaceAll(".", "。"),
      () => [...dotted].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(""),
      () => dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      () => `[::ffff:${dotted}]`,
      () => `[::${groups(bytes)}]`,
      () => `[64:ff9b::${groups(bytes)}]`,
      () => `[2002:${groups(bytes)}::1]`,
      () => `[2606:2800::5efe:${groups(bytes)}]`,
    ];
    return ways[way]?.() ?? dotted;
  });

const closed6 = fc
  .tuple(
    fc.constantFrom(
      "fc",
      "fd",
      "fe8",
      "fe9",
      "feb",
      "fec",
      "ff0",
      "ff",
      "0",
      "1",
      "2001:db8:",
      "3fff:0",
      "2001:0:",
    ),
    fc.array(fc.nat({ max: 0xffff }), { minLength: 2, maxLength: 4 }),
  )
  .map(
    ([start, tail]) =>
      `[${start.padEnd(start.includes(":") ? 0 : 4, "0")}::${tail.map((part) => part.toString(16)).join(":")}]`,
  );

describe("an address inside, in whatever spelling", () => {
  it("is never dialled, neither when it is asked for nor when a name leads to it", async () => {
    const law = fc.asyncProperty(fc.oneof(spelled, closed6), async (host) => {
      const { egress, dialled } = recordedEgress();
      await egress.request({ url: `http://${host}/`, signal }).catch(() => undefined);
      expect(dialled).toEqual([]);
      const bare = URL.parse(`http://${host}/`)?.hostname.replace(/[[\]]/g, "") ?? host;
      const named = recordedEgress({ "a.example": ["93.184.216.34", bare], "b.example": [bare] });
      for (const name of ["a.example", "b.example"])
        await named.egress.request({ url: `http://${name}/`, signal }).catch(() => undefined);
      expect(named.dialled).toEqual([]);
    });
    await fc.assert(law, { numRuns: 400 });
  }, 30_000);
});
