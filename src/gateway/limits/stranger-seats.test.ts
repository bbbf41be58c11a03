import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createStrangerSeats } from "./stranger-seats.ts";

const nobody = () => false;

it("TEN-06 seats a limited number of one address, tells a few more that they are too many, and cuts the rest", () => {
  let refused = 0;
  const seats = createStrangerSeats({ most: () => 2, isExempt: nobody, refused: () => refused++ });
  const connections = Array.from({ length: 12 }, () => ({}));
  const taken = connections.map((each) => seats.take(each, "203.0.113.9"));
  expect(taken).toEqual(["seated", "seated", ...Array.from({ length: 8 }, () => "refused"), "cut", "cut"]);
  expect(refused).toBe(10);
  expect(connections.filter(seats.isRefused)).toHaveLength(8);
  expect(seats.take({}, "203.0.113.10")).toBe("seated");
});

it("TEN-06 counts a whole network of 64 bits as one address", () => {
  const seats = createStrangerSeats({ most: () => 1, isExempt: nobody });
  expect(seats.take({}, "2001:db8::1")).toBe("seated");
  expect(seats.take({}, "2001:db8::2:1")).toBe("refused");
});

it("has room again when somebody signs in or goes, once for each", () => {
  const seats = createStrangerSeats({ most: () => 1, isExempt: nobody });
  const [first, second, third] = [{}, {}, {}];
  seats.take(first, "203.0.113.9");
  expect(seats.take(second, "203.0.113.9")).toBe("refused");
  seats.leave(second);
  seats.leave(second);
  expect(seats.isRefused(second)).toBe(false);
  expect(seats.take(third, "203.0.113.9")).toBe("refused");
  seats.leave(first);
  expect(seats.take({}, "203.0.113.9")).toBe("seated");
});

it("does not count those who are exempt, until it is known who is behind them", () => {
  const seats = createStrangerSeats({ most: () => 1, isExempt: (address) => address === "127.0.0.1" });
  const [proxied, other] = [{}, {}];
  expect([seats.take(proxied, "127.0.0.1"), seats.take(other, "127.0.0.1")]).toEqual(["free", "free"]);
  expect(seats.take(proxied, "203.0.113.9")).toBe("seated");
  expect(seats.take(proxied, "203.0.113.9")).toBe("seated");
  expect(seats.take(other, "203.0.113.9")).toBe("refused");
});

it("whatever comes and goes, no address has more seats than it may, and everybody gone leaves all of them", () => {
  const step = fc.record({ who: fc.nat(30), address: fc.nat(2), isLeaving: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const seats = createStrangerSeats({ most: () => 3, isExempt: nobody });
      const all = Array.from({ length: 31 }, () => ({ address: "", isSeated: false }));
      for (const { who, address, isLeaving } of steps) {
        const one = all[who];
        if (!one) continue;
        if (isLeaving) {
          seats.leave(one);
          one.isSeated = false;
        } else if (!one.isSeated) {
          one.address = `203.0.113.${address}`;
          one.isSeated = seats.take(one, one.address) === "seated";
          if (!one.isSeated) seats.leave(one);
        }
        for (const each of ["203.0.113.0", "203.0.113.1", "203.0.113.2"]) {
          const seated = all.filter((other) => other.isSeated && other.address === each);
          expect(seated.length).toBeLessThanOrEqual(3);
        }
      }
      for (const each of all) seats.leave(each);
      expect([1, 2, 3].map(() => seats.take({}, "203.0.113.0"))).toEqual(["seated", "seated", "seated"]);
    }),
  );
});
