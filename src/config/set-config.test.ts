import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { revertConfig } from "./change-config.ts";
import { openConfigHistory } from "./config-history.ts";
import { openSecrets } from "./secrets.ts";
import { setConfig, type ConfigEditor } from "./set-config.ts";
import { createTemporaryHome } from "./testing/temporary-home.ts";

const path = ["channels", "telegram", "botToken"];

async function openEditor() {
  const home = await createTemporaryHome();
  const clock = createHandClock();
  const secrets = openSecrets({ home, environment: {} });
  const editor: ConfigEditor = { home, clock, secrets, author: "user" };
  const set = (value: string) => setConfig(editor, [{ path, value }]);
  const revert = () => revertConfig({ home, clock, number: undefined });
  const inForce = async () => {
    const [handle] = /secret:[\w.-]+/.exec(await home.readConfig()) ?? [];
    return handle && secrets.resolve(handle);
  };
  const names = async () => (await secrets.list()).map(({ name }) => name);
  return { home, editor, secrets, set, revert, inForce, names };
}

it("keeps the former secret, so that replacing one is a change that can be undone", async () => {
  const { home, set, revert, inForce } = await openEditor();
  await set("planted-old");
  const second = await set("planted-new");
  expect(second).toMatchObject({
    change: { number: 2 },
    stored: [{ name: "channels.telegram.botToken-2", former: "channels.telegram.botToken" }],
  });
  expect(await inForce()).toBe("planted-new");
  expect(await revert()).toMatchObject({ lostSecrets: [], kept: [] });
  expect(await inForce()).toBe("planted-old");
  await revert();
  expect(await inForce()).toBe("planted-new");
  expect(JSON.stringify(await openConfigHistory(home.configHistoryDir).list())).not.toContain("planted");
});

it("changes nothing when the secret is the same", async () => {
  const { set, names } = await openEditor();
  await set("planted-old");
  expect(await set("planted-old")).toEqual({ change: undefined, stored: [] });
  expect(await names()).toEqual(["channels.telegram.botToken"]);
});

it("uses no name again that the history knows, though its secret was removed", async () => {
  const { editor, secrets, set, inForce } = await openEditor();
  await set("planted-old");
  await setConfig(editor, [{ path, value: "${TELEGRAM}" }]);
  await secrets.remove("channels.telegram.botToken");
  expect((await set("planted-new")).stored).toMatchObject([{ name: "channels.telegram.botToken-2" }]);
  expect(await inForce()).toBe("planted-new");
});

it("leaves the store as it was when the change is refused", async () => {
  const { home, editor, secrets, set, inForce, names } = await openEditor();
  await set("planted-old");
  const good = await home.readConfig();
  await expect(
    setConfig(editor, [
      { path, value: "planted-new" },
      { path: ["channels", "telegram", "dmPolicy"], value: "nonsense" },
    ]),
  ).rejects.toThrow(expect.objectContaining({ code: "config/bad-value" }));
  // Somebody's editor writes in the moment between storing and changing.
  const meddled: ConfigEditor["secrets"] = {
    ...secrets,
    async add(...given) {
      const name = await secrets.add(...given);
      await writeFile(home.configFile, "{ half");
      return name;
    },
  };
  await expect(setConfig({ ...editor, secrets: meddled }, [{ path, value: "planted-new" }])).rejects.toThrow(
    expect.objectContaining({ code: "config/unparsable" }),
  );
  expect(await names()).toEqual(["channels.telegram.botToken"]);
  await home.writeConfig(good);
  expect(await inForce()).toBe("planted-old");
});

it("takes back the first secret when the second cannot be stored", async () => {
  const { editor, secrets, names } = await openEditor();
  const failing: ConfigEditor["secrets"] = {
    ...secrets,
    add: (name, ...rest) =>
      name.endsWith("b") ? Promise.reject(new Error("the disk is full")) : secrets.add(name, ...rest),
  };
  const value = { tokens: { a: "planted-1", b: "planted-2" } };
  await expect(
    setConfig({ ...editor, secrets: failing }, [{ path: ["channels", "x"], value }]),
  ).rejects.toThrow("the disk is full");
  expect(await names()).toEqual([]);
});

it("never takes back a secret that the config names, even when recording the change failed", async () => {
  const { home, editor, inForce } = await openEditor();
  const clock = {
    ...createHandClock(),
    now() {
      // Only the record after the write asks for the time here.
      if (existsSync(home.configFile)) throw new Error("the disk is full");
      return 0;
    },
  };
  await expect(setConfig({ ...editor, clock }, [{ path, value: "planted-new" }])).rejects.toThrow("disk");
  expect(await inForce()).toBe("planted-new");
});

it("writes agent ids in their one spelling", async () => {
  const { home, editor } = await openEditor();
  await setConfig(editor, [{ path: ["agents", "list"], value: [{ id: " Helper " }] }]);
  expect(await home.readConfig()).toContain('id: "helper"');
  await expect(
    setConfig(editor, [{ path: ["agents", "list", 0, "id"], value: "my helper" }]),
  ).rejects.toThrow(expect.objectContaining({ code: "config/bad-value" }));
});

it("refuses an address that is none, and a format that nobody speaks unless it is wanted all the same", async () => {
  const { editor, home } = await openEditor();
  const set = (key: string, value: string, unknown?: "allow") =>
    setConfig(editor, [{ path: ["models", "providers", "mine", key], value }], unknown);
  for (const bad of ["not a url", "file:///etc/passwd"])
    await expect(set("baseUrl", bad, "allow")).rejects.toMatchObject({ code: "config/bad-value" });
  await expect(set("api", "openai-completion")).rejects.toMatchObject({
    code: "config/bad-value",
    message: expect.stringContaining("openai-completions"),
  });
  await set("baseUrl", "http://127.0.0.1:8000/v1");
  await set("baseUrl", "${SCHEME}://127.0.0.1:8000/v1");
  await set("api", "of-tomorrow", "allow");
  expect(await home.readConfig()).toContain("of-tomorrow");
});

it("CFG-04 refuses a time zone that there is none, with those that were probably meant", async () => {
  const { editor } = await openEditor();
  const set = (value: string) => setConfig(editor, [{ path: ["agents", "defaults", "userTimezone"], value }]);
  await expect(set("Asia/Shangai")).rejects.toMatchObject({
    code: "config/bad-value",
    message: expect.stringContaining("Asia/Shanghai"),
  });
  expect((await set("Asia/Shanghai")).change).toBeDefined();
});
