import { chmod, readFile, rename, stat } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sealName, sealSecret } from "../../../storage/credentials/credential-secret.ts";
import { createTestHome, findingsOf, levelsOf, type TestHome } from "../testing/test-home.ts";
import { checkSecrets } from "./secrets.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
  await home.examined.secrets.set("telegram", "a-very-secret-value");
});
afterEach(() => home.remove());

it("counts the secrets without naming them", async () => {
  expect(await findingsOf(checkSecrets(home.examined))).toEqual(["ok 1 stored, all can be decrypted"]);
});

it("closes a key file that others can read", async () => {
  await chmod(home.path("secret.key"), 0o644);
  const check = checkSecrets(home.examined);
  expect(await findingsOf(check)).toEqual([
    `problem others can reach ${home.path("secret.key")} (mode 0644 instead of 0600)`,
  ]);
  await check.fix?.();
  expect((await stat(home.path("secret.key"))).mode & 0o777).toBe(0o600);
  expect(await levelsOf(check)).toEqual(["ok"]);
});

it("says that a key does not fit, and does not touch the secrets", async () => {
  const before = await readFile(home.path("secrets.json"), "utf8");
  await home.write("secret.key", `${Buffer.alloc(32, 7).toString("base64")}\n`);
  const check = checkSecrets(home.examined);
  const [finding] = await check.check();
  expect(finding).toMatchObject({ level: "problem", next: expect.stringContaining("secret.key") });
  expect(await check.fix?.()).toEqual([]);
  expect(await readFile(home.path("secrets.json"), "utf8")).toBe(before);
});

it("says how many stored credentials cannot be opened", async () => {
  const { tenant } = await home.examined.makeDatabase();
  const key = { agentId: null, id: "planted-name" };
  const sealed = await sealSecret(home.examined.secrets.box, sealName("t_default", key), { key: "sk-1" });
  const place = { provider: "openai", type: "api_key", label: null, expiresAt: null } as const;
  await tenant.credentials.put({ ...key, ...place, source: "login", sealed });
  expect(await findingsOf(checkSecrets(home.examined))).toEqual(["ok 2 stored, all can be decrypted"]);
  await home.examined.secrets.remove("telegram");
  await rename(home.path("secret.key"), home.path("elsewhere.key"));
  const [finding, ...others] = await checkSecrets(home.examined).check();
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    level: "problem",
    message: expect.stringContaining("credentials that cannot be decrypted: 1 of 1"),
    next: expect.stringContaining("secret.key"),
  });
  expect(JSON.stringify(finding)).not.toContain("planted-name");
});

it("says that the file of the secrets is damaged", async () => {
  await home.write("secrets.json", "{");
  expect(await levelsOf(checkSecrets(home.examined))).toEqual(["problem"]);
});
