import * as fc from "fast-check";
import { readFile, rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { rememberOpened } from "./secret-box.ts";
import { openSecrets } from "./secrets.ts";
import { createTemporaryHome } from "./testing/temporary-home.ts";

const locked = expect.objectContaining({ code: "secret/locked", hint: expect.any(String) });

it.each([
  ["the key file of the home", {}],
  ["a passphrase in PINCER_SECRET_KEY", { PINCER_SECRET_KEY: "correct horse battery staple" }],
])("gives back what was sealed, also to the next process, with %s", async (_name, environment) => {
  const home = await createTemporaryHome();
  const sealed = await openSecrets({ home, environment }).box.seal("credential/t/a/b", "planted-secret");
  expect(sealed).not.toContain("planted");
  const later = openSecrets({ home, environment });
  expect(await later.box.unseal("credential/t/a/b", sealed)).toBe("planted-secret");
  await later.set("a", "planted-other");
  expect(await later.box.unseal("credential/t/a/b", sealed)).toBe("planted-secret");
});

it("does not let a row be passed off as another's, and is locked by any change and by any other key", async () => {
  const home = await createTemporaryHome();
  const { box } = openSecrets({ home, environment: {} });
  const sealed = await box.seal("credential/t/main/a", "planted-secret");
  for (const name of ["credential/t/other/a", "credential/rival/main/a", "credential/t/main/b"])
    await expect(box.unseal(name, sealed)).rejects.toThrow(locked);
  for (const text of ["", "1", `2${sealed.slice(1)}`, sealed.slice(0, -4), `${sealed}.x`])
    await expect(box.unseal("credential/t/main/a", text)).rejects.toThrow(locked);
  const wrong = openSecrets({ home, environment: { PINCER_SECRET_KEY: "ab".repeat(32) } });
  await expect(wrong.box.unseal("credential/t/main/a", sealed)).rejects.toThrow(locked);
  const before = await readFile(home.secretsFile, "utf8");
  await expect(wrong.box.seal("credential/t/main/a", "planted-secret")).rejects.toThrow(locked);
  expect(await readFile(home.secretsFile, "utf8")).toBe(before);
  await rm(home.secretKeyFile);
  await expect(box.unseal("credential/t/main/a", sealed)).rejects.toThrow(locked);
});

it("is locked, and makes no key, where there are no secrets yet and something is to be opened", async () => {
  const home = await createTemporaryHome();
  await expect(openSecrets({ home, environment: {} }).box.unseal("a", "1.a.b.c")).rejects.toThrow(locked);
  expect((await home.allFiles()).size).toBe(0);
});

it("fetches the key once for what it has opened before, and again for anything else", async () => {
  const home = await createTemporaryHome();
  const { box } = openSecrets({ home, environment: {} });
  const remembering = rememberOpened(box);
  const [first, second] = [await box.seal("a", "one"), await box.seal("a", "two")];
  expect(await remembering.unseal("a", first)).toBe("one");
  await rm(home.secretKeyFile);
  expect(await remembering.unseal("a", first)).toBe("one");
  await expect(remembering.unseal("a", second)).rejects.toThrow(locked);
  await expect(remembering.unseal("b", first)).rejects.toThrow(locked);
});

it("ends with one key when many begin at once", async () => {
  const home = await createTemporaryHome();
  const sealed = await Promise.all(
    ["a", "b", "c", "d"].map((name) => openSecrets({ home, environment: {} }).box.seal(name, name)),
  );
  const { box } = openSecrets({ home, environment: {} });
  expect(await Promise.all(sealed.map((text, index) => box.unseal("abcd".charAt(index), text)))).toEqual([
    "a",
    "b",
    "c",
    "d",
  ]);
});

it("gives back any text", async () => {
  const { box } = openSecrets({ home: await createTemporaryHome(), environment: {} });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "grapheme" }),
      async (name, value) => {
        expect(await box.unseal(name, await box.seal(name, value))).toBe(value);
      },
    ),
    { numRuns: 30 },
  );
});
