import { execFile } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { seal, unseal } from "./secret-cipher.ts";
import { openSecrets } from "./secrets.ts";
import { createTemporaryHome } from "./testing/temporary-home.ts";

const locked = expect.objectContaining({ code: "secret/locked", hint: expect.any(String) });

it("gives back what was put in, and keeps file and key for their owner alone", async () => {
  const home = await createTemporaryHome();
  const secrets = openSecrets({ home, environment: {} });
  await secrets.set("telegram", "planted-secret-1");
  await secrets.set("telegram", "planted-secret-2");
  await secrets.set("other", "ünïcode\n");
  expect(await secrets.resolve("secret:telegram")).toBe("planted-secret-2");
  expect(await secrets.resolve("secret:other")).toBe("ünïcode\n");
  expect(await secrets.resolve("no handle")).toBe("no handle");
  expect((await secrets.values()).map(({ name }) => name).sort()).toEqual(["other", "telegram"]);
  for (const file of [home.secretsFile, home.secretKeyFile])
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(home.secretsFile, "utf8")).not.toContain("planted");
});

it("lists names without a key and removes without one", async () => {
  const home = await createTemporaryHome();
  await openSecrets({ home, environment: {} }).set("a", "planted-secret");
  await rm(home.secretKeyFile);
  const secrets = openSecrets({ home, environment: {} });
  expect(await secrets.list()).toEqual([{ name: "a", createdAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  await expect(secrets.resolve("secret:a")).rejects.toThrow(locked);
  expect(await secrets.remove("a")).toBe(true);
  expect(await secrets.remove("a")).toBe(false);
});

it.each([
  ["32 bytes in hex", "ab".repeat(32)],
  ["32 bytes in base64", Buffer.alloc(32, 7).toString("base64")],
  ["a passphrase", "correct horse battery staple"],
])("takes its key from PINCER_SECRET_KEY as %s, and no other key fits", async (_name, text) => {
  const home = await createTemporaryHome();
  await openSecrets({ home, environment: { PINCER_SECRET_KEY: text } }).set("a", "planted-secret");
  expect(await openSecrets({ home, environment: { PINCER_SECRET_KEY: text } }).resolve("secret:a")).toBe(
    "planted-secret",
  );
  const before = await readFile(home.secretsFile, "utf8");
  for (const wrong of [{ PINCER_SECRET_KEY: `${text.slice(0, -2)}xy` }, {}]) {
    const secrets = openSecrets({ home, environment: wrong });
    await expect(secrets.resolve("secret:a")).rejects.toThrow(locked);
    await expect(secrets.set("b", "planted-other")).rejects.toThrow(locked);
    await expect(secrets.values()).rejects.toThrow(locked);
  }
  expect(await readFile(home.secretsFile, "utf8")).toBe(before);
  expect(before).not.toContain("horse");
});

it("is locked by any change to the file, and overwrites nothing then", async () => {
  const home = await createTemporaryHome();
  const secrets = openSecrets({ home, environment: {} });
  await secrets.set("a", "planted-secret");
  const whole = await readFile(home.secretsFile, "utf8");
  const parsed = JSON.parse(whole);
  const { a } = parsed.secrets;
  const damaged = [
    whole.slice(0, -30),
    "",
    "[]",
    "null",
    "{}",
    JSON.stringify({ ...parsed, secrets: { a: { ...a, data: a.tag } } }),
    JSON.stringify({ ...parsed, secrets: { a: { ...a, tag: "AAAA" } } }),
    JSON.stringify({ ...parsed, secrets: { a: null } }),
  ];
  for (const text of damaged) {
    await writeFile(home.secretsFile, text);
    const failure = await secrets.resolve("secret:a").catch((error: unknown) => error);
    expect(failure).toEqual(locked);
    expect(await readFile(home.secretsFile, "utf8")).toBe(text);
  }
  await writeFile(home.secretKeyFile, "short");
  await writeFile(home.secretsFile, whole);
  await expect(secrets.set("b", "x")).rejects.toThrow(locked);
});

it("does not let a value be passed off under another name", () => {
  const key = Buffer.alloc(32, 1);
  expect(() => unseal(key, "b", seal(key, "a", "planted"))).toThrow(locked);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (value) => {
      expect(unseal(key, "n", seal(key, "n", value))).toBe(value);
    }),
  );
});

it("refuses other names without repeating them, and missing ones with what to do", async () => {
  const secrets = openSecrets({ home: await createTemporaryHome(), environment: {} });
  for (const name of ["", "-a", "a b", "a/b", "x".repeat(65), "__proto__", "planted secret"]) {
    const failure = await secrets.set(name, "v").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "secret/bad-name" });
    expect(String(failure)).not.toContain("planted");
  }
  await expect(secrets.resolve("secret:none")).rejects.toThrow(
    expect.objectContaining({
      code: "secret/not-found",
      hint: expect.stringContaining("pincer secrets set none"),
    }),
  );
});

it("ends with one key and every secret when many processes begin at once", async () => {
  const home = await createTemporaryHome();
  const door = fileURLToPath(new URL("secrets.ts", import.meta.url));
  const script = `
    const { openSecrets } = await import(${JSON.stringify(door)});
    const home = ${JSON.stringify({ root: home.root, secretsFile: home.secretsFile, secretKeyFile: home.secretKeyFile })};
    await openSecrets({ home, environment: {} }).set(process.argv[1], "value-" + process.argv[1]);`;
  const names = ["p1", "p2", "p3", "p4", "p5", "p6"];
  await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, name])),
  );
  const secrets = openSecrets({ home, environment: {} });
  expect((await secrets.values()).map(({ value }) => value).sort()).toEqual(
    names.map((name) => `value-${name}`),
  );
});

it("adds under a name that is free, at any length, and replaces nothing", async () => {
  const secrets = openSecrets({ home: await createTemporaryHome(), environment: {} });
  const long = "x".repeat(64);
  expect(await secrets.add("a", "1")).toBe("a");
  expect(await secrets.add("a", "2", new Set(["a-2"]))).toBe("a-3");
  expect(await secrets.add(long, "3")).toBe(long);
  expect(await secrets.add(long, "4")).toBe(`${"x".repeat(62)}-2`);
  expect(await secrets.resolve("secret:a")).toBe("1");
  const added = await Promise.all(["5", "6", "7"].map((value) => secrets.add("b", value)));
  expect(added.toSorted()).toEqual(["b", "b-2", "b-3"]);
  await expect(secrets.add("planted secret", "v")).rejects.toThrow(
    expect.objectContaining({ code: "secret/bad-name" }),
  );
});

it("makes keys for other purposes of its own key: always the same, each different, and no file but that of the key", async () => {
  const home = await createTemporaryHome();
  const secrets = openSecrets({ home, environment: {} });
  await expect(secrets.derive("audit", "refuse")).rejects.toMatchObject({ code: "secret/locked" });
  const made = await secrets.derive("audit", "make");
  expect(made).toHaveLength(32);
  expect(await readdir(home.root)).toEqual(["secret.key"]);
  expect(await openSecrets({ home, environment: {} }).derive("audit", "refuse")).toEqual(made);
  expect(await secrets.derive("other", "refuse")).not.toEqual(made);
  await secrets.set("token", "x");
  expect(await secrets.derive("audit", "refuse")).toEqual(made);
  const wrong = openSecrets({ home, environment: { PINCER_SECRET_KEY: "ab".repeat(32) } });
  await expect(wrong.derive("audit", "make")).rejects.toMatchObject({ code: "secret/locked" });
});

it("makes them of a key that the environment brings, without a file, and of a passphrase with its salt", async () => {
  const home = await createTemporaryHome();
  const key = { PINCER_SECRET_KEY: "ab".repeat(32) };
  const made = await openSecrets({ home, environment: key }).derive("audit", "make");
  expect(await openSecrets({ home, environment: key }).derive("audit", "make")).toEqual(made);
  expect(await readdir(home.root)).toEqual([]);
  const phrase = { PINCER_SECRET_KEY: "correct horse" };
  const salted = await openSecrets({ home, environment: phrase }).derive("audit", "make");
  expect(await openSecrets({ home, environment: phrase }).derive("audit", "refuse")).toEqual(salted);
  expect(await readdir(home.root)).toContain("secrets.json");
});
