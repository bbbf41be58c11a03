import * as fc from "fast-check";
import { expect, it } from "vitest";
import { addressKey, isLoopback, plainAddress } from "./address-key.ts";

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:0201", "192.0.2.1"],
  ["0:0:0:0:0:ffff:c000:201", "192.0.2.1"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8:0:0:1:2:3:4", "2001:db8:0:0::/64"],
  ["2001:0db8:0000:0000::9%eth0", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["nobody", "nobody"],
  ["", ""],
])("counts %s as %s", (address, key) => {
  expect(addressKey(address)).toBe(key);
});

it.each(["127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::FFFF:7f00:1"])(
  "%s is this machine",
  (address) => {
    expect(isLoopback(address)).toBe(true);
  },
);

it.each([
  "128.0.0.1",
  "0.0.0.0",
  "::",
  "::2",
  "::127.0.0.1",
  "::ffff:128.0.0.1",
  "127.0.0.1.evil",
  "localhost",
  "",
])("%s is not this machine", (address) => {
  expect(isLoopback(address)).toBe(false);
});

it("every address of a network of 64 bits counts as one, and every IPv4 address for itself in both spellings", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
      expect(plainAddress(`::ffff:${four}`)).toBe(four);
      expect(addressKey(addressKey(six))).toBe(addressKey(six));
    }),
  );
});
