import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCommandHome } from "../testing/command-home.ts";
import * as rules from "./rules.ts";
import * as tools from "./tools.ts";

it("keeps to the standing rules, and names the rule", async () => {
  const home = await createCommandHome();
  const invoke = (text: string) =>
    home.run(tools, "tools", "invoke", "tools_echo", "--args", JSON.stringify({ text }), "--json");
  expect(await invoke("hi")).toMatchObject({ status: 0 });
  await home.run(rules, "rules", "add", "never use shell_pwd");
  await home.run(rules, "rules", "add", "say no secrets", "--deny", "tools_echo", "--match", "secret");
  const info = await home.run(tools, "tools", "info", "shell_pwd", "--json");
  expect(info.json()).toMatchObject({
    access: { allowed: false, reason: "standing rule 1: never use shell_pwd" },
  });
  const access = Object.fromEntries(
    (await home.run(tools, "tools", "list", "--json"))
      .json<Array<{ name: string; access: { allowed: boolean } }>>()
      .map((tool) => [tool.name, tool.access.allowed]),
  );
  expect(access).toMatchObject({ shell_pwd: false, tools_echo: true, time_now: true });
  expect(await invoke("hi")).toMatchObject({ status: 0 });
  const refused = await invoke("a secret");
  expect(refused.status).toBe(1);
  expect(refused.json()).toMatchObject({
    error: { message: "tools_echo may not run: standing rule 2: say no secrets" },
  });
});

it.each([
  ["tools.modes", { modes: { tools_echo: "deny" } }],
  ["tools.sessions", { sessions: { "agent:main:main": { deny: ["tools_echo"] } } }],
  ["tools.sensitive", { sensitive: { sessions: ["agent:main:main"], deny: ["tools_echo"] } }],
])("SAFE-02 keeps to what %s denies, and names it", async (source, ruled) => {
  const home = await createCommandHome();
  await mkdir(join(home.root, "home"), { mode: 0o700 });
  await writeFile(join(home.root, "home", "config.json5"), JSON.stringify({ tools: ruled }), { mode: 0o600 });
  const reason = expect.stringContaining(source) as string;
  const info = await home.run(tools, "tools", "info", "tools_echo", "--json");
  expect(info.json()).toMatchObject({ access: { allowed: false, reason } });
  const refused = await home.run(tools, "tools", "invoke", "tools_echo", "--args", '{"text":"hi"}', "--json");
  expect(refused.json()).toMatchObject({ error: { message: reason } });
});

it("runs nothing when the database with the rules was too damaged to be opened", async () => {
  const home = await createCommandHome();
  await home.run(rules, "rules", "add", "be brief");
  await writeFile(join(home.root, "home", "core.db"), "not a database at all ".repeat(500));
  await rm(join(home.root, "home", "core.db-wal"), { force: true });
  const refused = await home.run(tools, "tools", "invoke", "time_now", "--json");
  expect(refused.json()).toMatchObject({
    error: { message: expect.stringMatching(/standing rule 0: No tools.*pincer doctor --confirm/) },
  });
});
