import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { locateHome } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import { openSecrets } from "../../config/secrets.ts";
import { createHomeSecrets, homeTokenSecret } from "./home-secrets.ts";

async function openHome(auth: Partial<Config["gateway"]["auth"]> = {}) {
  const root = await mkdtemp(join(tmpdir(), "pincer-doors-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const home = locateHome({ PINCER_HOME: root });
  const secrets = openSecrets({ home, environment: {} });
  const gateway = {
    ...defaultConfig.gateway,
    auth: { ...defaultConfig.gateway.auth, ...auth },
  } as Config["gateway"];
  const made: string[] = [];
  const open = () =>
    createHomeSecrets({
      config: () => ({ gateway }),
      secrets,
      secretsFile: home.secretsFile,
      onMade: (name) => made.push(name),
    });
  return { secrets, open, made, gateway };
}

it("GW-11 makes a token once, of 256 bits, and keeps it", async () => {
  const { open, made, secrets } = await openHome();
  const [one, two] = [open(), open()];
  const tokens = await Promise.all([one.token(), one.token(), two.token()]);
  expect(new Set(tokens).size).toBe(1);
  expect(Buffer.from(tokens[0] ?? "", "base64url")).toHaveLength(32);
  expect(made).toEqual([homeTokenSecret]);
  expect((await secrets.list()).map(({ name }) => name)).toEqual([homeTokenSecret]);
  expect(await open().token()).toBe(tokens[0]);
});

it("GW-11 returns the current token, no matter who changed it", async () => {
  const { open, secrets } = await openHome({ token: "secret:mine" });
  const home = open();
  await secrets.set("mine", "the first one that I chose");
  expect(await home.token()).toBe("the first one that I chose");
  await secrets.set("mine", "the other one that I chose");
  expect(await home.token()).toBe("the other one that I chose");
  await secrets.remove("mine");
  await expect(home.token()).rejects.toThrow("mine");
});

it("follows the config to another secret, and to a token that stands in it", async () => {
  const { open, gateway } = await openHome({ token: "a token that stands in the config" });
  const home = open();
  expect(await home.token()).toBe("a token that stands in the config");
  gateway.auth = { ...gateway.auth, token: "another token in the config" };
  expect(await home.token()).toBe("another token in the config");
});

it("has no password unless there is one", async () => {
  const { open, gateway, secrets } = await openHome();
  const home = open();
  expect(await home.password()).toBeUndefined();
  gateway.auth = { ...gateway.auth, password: "secret:page" };
  await secrets.set("page", "a whole sentence");
  expect(await home.password()).toBe("a whole sentence");
});
