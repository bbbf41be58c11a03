import { argon2Sync } from "node:crypto";
import { expect, it } from "vitest";
import { createPasswordCheck, hashPassword } from "./password.ts";

const sentence = "a whole sentence of words";

it("GW-11 hashes with argon2id, its parameters beside it, and another salt each time", async () => {
  const [one, other] = [await hashPassword(sentence), await hashPassword(sentence)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  const [, , , , salt = "", tag = ""] = one.split("$");
  const parameters = {
    nonce: Buffer.from(salt, "base64"),
    parallelism: 1,
    tagLength: 32,
    memory: 19_456,
    passes: 2,
  };
  const derived = argon2Sync("argon2id", { message: sentence, ...parameters });
  expect(derived.toString("base64").replaceAll("=", "")).toBe(tag);
});

it("knows the right one, of a hash and of a password kept as it is", async () => {
  const { check } = createPasswordCheck();
  for (const stored of [await hashPassword(sentence), sentence]) {
    expect(await check(sentence, stored)).toBe("right");
    for (const wrong of [
      "",
      `${sentence} `,
      sentence.slice(1),
      sentence.toUpperCase(),
      stored === sentence ? "x" : stored,
    ]) {
      expect(await check(wrong, stored)).toBe("wrong");
    }
  }
});

it("a password typed on another keyboard in another form is the same one", async () => {
  const { check } = createPasswordCheck();
  expect(await check("cafe\u0301 olé, every day", await hashPassword("caf\u00e9 olé, every day"))).toBe(
    "right",
  );
});

it("nobody's password is wrong, and takes the same work", async () => {
  const { check } = createPasswordCheck();
  expect(await check("", undefined)).toBe("wrong");
  expect(await check(sentence, undefined)).toBe("wrong");
});

it.each([
  "$argon2id$",
  "$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=9999999,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=19456,t=99,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=19456,t=0,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=1,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
])("a hash that cannot be read fits no password: %s", async (stored) => {
  const { check } = createPasswordCheck();
  expect(await check(stored, stored)).toBe("wrong");
  expect(await check("", stored)).toBe("wrong");
});

it("checks few at once, lets few wait, and sends the rest away", async () => {
  const { check } = createPasswordCheck({ atOnce: 1, mostWaiting: 2 });
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => check(sentence, sentence)));
  expect(outcomes).toEqual(["right", "right", "right", "busy", "busy", "busy"]);
  expect(await check(sentence, sentence)).toBe("right");
});
