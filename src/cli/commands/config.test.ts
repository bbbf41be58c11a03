import { lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Command, CommanderError } from "commander";
import { expect, it } from "vitest";
import { everydayConfig, olderConfig } from "../../config/testing/samples.ts";
import { createTemporaryHome, type TemporaryHome } from "../../config/testing/temporary-home.ts";
import { createContext } from "../command-context.ts";
import { speakLike } from "../program.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import { register as registerConfig } from "./config.ts";
import { register as registerGatewayConfig } from "./gateway-config.ts";
import { register as registerSecrets } from "./secrets.ts";

async function pincer(
  home: TemporaryHome,
  args: string[],
  more: {
    input?: string;
    environment?: Record<string, string>;
    stdin?: NodeJS.ReadableStream;
    signal?: AbortSignal;
  } = {},
) {
  const terminal = createFakeTerminal(more.input === undefined ? {} : { stdin: more.input });
  if (more.stdin) terminal.stdin = more.stdin;
  const environment = { ...home.environment, PINCER_LANG: "en", ...more.environment };
  const context = createContext({
    terminal,
    environment,
    cwd: home.root,
    signal: more.signal ?? new AbortController().signal,
  });
  const program = new Command("pincer");
  for (const register of [registerConfig, registerGatewayConfig, registerSecrets]) register(program, context);
  speakLike(program, context);
  let status: number | undefined;
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    status = error.exitCode === 0 ? 0 : 2;
  }
  return { status: status ?? context.exitStatus(), stdout: terminal.written(), stderr: terminal.said() };
}

const json = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;

it("sets, gets and unsets a value, and comments survive", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{\n  // the port\n  gateway: { port: 1 },\n}\n");
  expect(await pincer(home, ["config", "set", "gateway.port", "2"])).toMatchObject({ status: 0, stdout: "" });
  expect(await home.readConfig()).toBe("{\n  // the port\n  gateway: { port: 2 },\n}\n");
  expect((await pincer(home, ["config", "get", "gateway.port"])).stdout).toBe("2\n");
  expect(json(await pincer(home, ["config", "get", "gateway.port", "--json"]))).toEqual({
    path: "gateway.port",
    value: 2,
    source: "file",
  });
  expect(json(await pincer(home, ["config", "unset", "gateway.port", "--json"]))).toMatchObject({
    changed: true,
    path: "gateway.port",
  });
  expect((await pincer(home, ["config", "get", "gateway.port"])).stdout).toBe("18650\n");
  expect((await pincer(home, ["config", "unset", "gateway.port"])).status).toBe(1);
});

it("takes a value as JSON5 where it fits, and as text where that fits", async () => {
  const home = await createTemporaryHome();
  await pincer(home, ["config", "set", "agents.defaults.systemPrompt", "42"]);
  await pincer(home, ["config", "set", "owners", "['telegram:42']"]);
  await pincer(home, ["config", "set", "notify.to", "telegram:42"]);
  const { config } = json(await pincer(home, ["config", "show", "--json"]));
  expect(config).toEqual({
    configVersion: 1,
    agents: { defaults: { systemPrompt: "42" } },
    owners: ["telegram:42"],
    notify: { to: "telegram:42" },
    language: "en",
  });
});

it.each([
  ["a bad value", ["gateway.port", "many"], "expected a whole number from 0 to 65535"],
  [
    "a bad value inside a group",
    ["session.reset", "{ atHour: 25 }"],
    "session.reset.atHour: expected a whole number from 0 to 23",
  ],
  ["an unknown key", ["gatewya.port", "1"], "Did you mean gateway.port?"],
  ["an item without what it needs", ["agents.list", "[{ name: 'x' }]"], "agents.list[0].id: expected a text"],
])("refuses %s and changes nothing", async (_name, args, message) => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 1 } }");
  const refused = await pincer(home, ["config", "set", ...args]);
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toContain(message);
  expect(await home.readConfig()).toBe("{ gateway: { port: 1 } }");
  expect(json(await pincer(home, ["config", "set", ...args, "--json"]))).toMatchObject({
    error: { code: expect.stringMatching(/^config\//) },
  });
});

it("writes an unknown key with --force, and mends a file that has faults elsewhere", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 'x', bind: 'y' } }");
  expect(await pincer(home, ["config", "set", "future.key", "1", "--force"])).toMatchObject({ status: 0 });
  expect(await pincer(home, ["config", "set", "gateway.port", "5"])).toMatchObject({ status: 0 });
  expect(await home.readConfig()).toContain("port: 5, bind: 'y'");
});

it("refuses to touch a file that cannot be parsed, and revert brings back the last one", async () => {
  const home = await createTemporaryHome();
  await pincer(home, ["config", "set", "gateway.port", "5"]);
  const good = await home.readConfig();
  await home.writeConfig("{\n oops oops");
  const refused = await pincer(home, ["config", "set", "gateway.port", "6"]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("line 2");
  expect(refused.stderr).toContain("pincer config revert");
  expect(await pincer(home, ["config", "get", "gateway.port"])).toMatchObject({
    status: 0,
    stdout: "5\n",
  });
  expect(await pincer(home, ["config", "revert"])).toMatchObject({ status: 0 });
  expect(await home.readConfig()).toBe(good);
});

it("validates a file: problems as file:line:column key message, exit 1", async () => {
  const home = await createTemporaryHome();
  const file = join(home.root, "other.json5");
  await writeFile(file, "{\n gateway: { port: 'x' },\n edtion: 1 }");
  const result = await pincer(home, ["config", "validate", "other.json5"]);
  expect(result.status).toBe(1);
  expect(result.stdout.trim().split("\n")).toEqual([
    `${file}:2:13: gateway.port: expected a whole number from 0 to 65535`,
    `${file}:3:2: edtion: unknown key; did you mean edition?`,
  ]);
  await writeFile(file, "{ edtion: 1 }");
  expect((await pincer(home, ["config", "validate", file])).status).toBe(0);
  expect(json(await pincer(home, ["config", "validate", file, "--strict", "--json"]))).toMatchObject({
    valid: false,
  });
  expect((await pincer(home, ["config", "validate"])).status).toBe(0);
  expect((await pincer(home, ["config", "validate", "nowhere"])).status).toBe(2);
});

it("shows where values come from", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ profiles: { work: { gateway: { port: 3 } } }, owners: ['a:1'] }");
  const shown = await pincer(home, ["config", "show", "--sources", "--json", "--profile", "work"], {
    environment: { PINCER_MODEL: "a/b" },
  });
  expect(json(shown)["sources"]).toMatchObject({
    owners: { layer: "file" },
    "gateway.port": { layer: "profile" },
    "agents.defaults.model.primary": { layer: "environment", variable: "PINCER_MODEL" },
  });
  const table = await pincer(home, ["config", "show", "--sources"], { environment: { PINCER_MODEL: "a/b" } });
  expect(table.stdout).toMatch(/agents\.defaults\.model\.primary +a\/b +environment \(PINCER_MODEL\)/);
  expect(json(await pincer(home, ["config", "show", "--defaults", "--json"]))["config"]).toMatchObject({
    gateway: { port: 18650 },
  });
});

it("lists changes newest first and reverts to before one of them", async () => {
  const home = await createTemporaryHome();
  for (const port of ["1", "2", "3"]) await pincer(home, ["config", "set", "gateway.port", port]);
  const history = JSON.parse(
    (await pincer(home, ["config", "history", "--limit", "2", "--json"])).stdout,
  ) as unknown[];
  expect(history).toMatchObject([{ number: 3, author: "user", summary: "set gateway.port" }, { number: 2 }]);
  expect((await pincer(home, ["config", "history", "--diff"])).stdout).toContain("-  gateway: { port: 2 },");
  expect(json(await pincer(home, ["config", "revert", "3", "--json"]))).toMatchObject({
    changed: true,
    number: 4,
  });
  expect((await pincer(home, ["config", "get", "gateway.port"])).stdout).toBe("2\n");
  expect((await pincer(home, ["config", "revert", "x"])).status).toBe(2);
  expect((await pincer(home, ["config", "revert", "99"])).status).toBe(1);
});

it("prints schema and path, and writes a migration as a change of its own", async () => {
  const home = await createTemporaryHome();
  expect(json(await pincer(home, ["config", "schema"]))).toMatchObject({
    $schema: expect.stringContaining("2020-12"),
    type: "object",
  });
  expect((await pincer(home, ["config", "path"])).stdout).toBe(`${home.configFile}\n`);
  await home.writeConfig(olderConfig);
  expect(await pincer(home, ["config", "migrate"])).toMatchObject({ status: 0 });
  expect(await home.readConfig()).toContain("// brought along");
  expect((await pincer(home, ["config", "validate", "--strict"])).status).toBe(0);
  expect(JSON.parse((await pincer(home, ["config", "history", "--json"])).stdout)).toMatchObject([
    { author: "migration" },
    { author: "hand" },
  ]);
  expect(json(await pincer(home, ["config", "migrate", "--json"]))).toMatchObject({ changed: false });
});

it.each([
  [["config", "get"]],
  [["config", "set", "a"]],
  [["config", "get", "a..b"]],
  [["config", "frobnicate"]],
  [["secrets", "set"]],
  [["gateway", "config", "set"]],
  [["gateway", "config", "set", "--pairing-policy", "x"]],
  [["gateway", "config", "set", "--tool-max-steps", "0"]],
])("exits 2 for the wrong usage %j with nothing on stdout", async (args) => {
  expect(await pincer(await createTemporaryHome(), args)).toMatchObject({ status: 2, stdout: "" });
});

it("CFG-02 CFG-03 keeps gateway settings in layers, shows their merge and clears one layer", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ /* mine */ }");
  expect(
    await pincer(home, [
      "gateway",
      "config",
      "set",
      "--provider",
      "mock",
      "--no-with-tools",
      "--tool-allow",
      "read, list",
      "--pairing-policy",
      "allowlist",
    ]),
  ).toMatchObject({ status: 0 });
  await pincer(home, [
    "gateway",
    "config",
    "set",
    "--channel",
    "feishu",
    "--with-tools",
    "--tool-max-steps",
    "7",
    "--memory",
  ]);
  expect(json(await pincer(home, ["gateway", "config", "show", "--channel", "feishu", "--json"]))).toEqual({
    channel: "feishu",
    effective: {
      provider: "mock",
      withTools: true,
      toolAllow: ["read", "list"],
      toolMaxSteps: 7,
      memory: true,
      pairingPolicy: "allowlist",
      pairingAllowFrom: [],
      pairingPendingTtlMs: 3_600_000,
      pairingPendingMax: 3,
    },
  });
  expect(json(await pincer(home, ["gateway", "config", "show", "--json"]))).toMatchObject({
    default: { withTools: false },
    channels: { feishu: { withTools: true } },
  });
  expect((await pincer(home, ["gateway", "config", "show", "--channel", "constructor"])).stdout).toMatch(
    /withTools +false/,
  );
  await pincer(home, ["gateway", "config", "clear", "--channel", "feishu"]);
  expect(json(await pincer(home, ["gateway", "config", "show", "--json"]))).toMatchObject({
    default: { provider: "mock" },
    channels: {},
  });
  await pincer(home, ["gateway", "config", "clear"]);
  expect(json(await pincer(home, ["gateway", "config", "show", "--json"]))).toMatchObject({
    default: { withTools: true },
  });
  expect(await home.readConfig()).toContain("/* mine */");
});

it("CFG-02 refuses --provider for one channel", async () => {
  const home = await createTemporaryHome();
  const refused = await pincer(home, ["gateway", "config", "set", "--channel", "feishu", "--provider", "x"]);
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  await expect(home.readConfig()).rejects.toThrow("ENOENT");
});

it("stores, lists and removes secrets", async () => {
  const home = await createTemporaryHome();
  expect(await pincer(home, ["secrets", "set", "a"], { input: "planted-secret\n" })).toMatchObject({
    status: 0,
    stdout: "",
  });
  const warned = await pincer(home, ["secrets", "set", "b", "--value", "planted-other", "--json"]);
  expect(json(warned)).toEqual({ name: "b", stored: true });
  expect(warned.stderr).toContain("history");
  expect(JSON.parse((await pincer(home, ["secrets", "list", "--json"])).stdout)).toMatchObject([
    { name: "a" },
    { name: "b" },
  ]);
  expect((await pincer(home, ["secrets", "list"])).stdout).toMatch(/^a +\d{4}-/);
  expect(await pincer(home, ["secrets", "remove", "a"])).toMatchObject({ status: 0 });
  expect((await pincer(home, ["secrets", "remove", "a"])).status).toBe(1);
  expect((await pincer(home, ["secrets", "set", "c"], { input: "\n" })).status).toBe(2);
  expect((await pincer(home, ["secrets", "set", "planted secret"], { input: "x" })).stderr).not.toContain(
    "planted",
  );
});

it("moves a literal secret to the store and writes a handle instead", async () => {
  const home = await createTemporaryHome();
  const result = await pincer(home, [
    "config",
    "set",
    "channels.telegram.botToken",
    "12345678:planted-planted-planted",
  ]);
  expect(result.status).toBe(0);
  expect(result.stderr).toContain("secret:channels.telegram.botToken");
  expect(await home.readConfig()).toContain('botToken: "secret:channels.telegram.botToken"');
  expect(JSON.parse((await pincer(home, ["secrets", "list", "--json"])).stdout)).toMatchObject([
    { name: "channels.telegram.botToken" },
  ]);
  await pincer(home, ["config", "set", "channels.telegram.botToken", "${TELEGRAM}"]);
  expect(await home.readConfig()).toContain('botToken: "${TELEGRAM}"');
});

it("lets a planted secret appear nowhere but in the file where its owner wrote it", async () => {
  const home = await createTemporaryHome();
  const planted = [
    "planted-literal-1",
    "planted-header-2",
    "planted-extra-3",
    "planted-set-4",
    "planted-stored-5",
    "planted-env-6",
    "planted-comment-7",
    "planted-wrong-8",
  ];
  const environment = {
    MOCK_KEY: "planted-env-6",
    TELEGRAM_TOKEN: "planted-env-6",
    PINCER_PORT: "planted-env-6",
  };
  const withSecrets = everydayConfig
    .replace('botToken: "secret:telegram"', 'botToken: "planted-literal-1", clientSecret: "planted-extra-3"')
    .replace('api: "openai', 'headers: { "X-Auth": "planted-header-2" }, api: "openai')
    .replace("// my config", '// my config, token: "planted-comment-7"');
  const printed: string[] = [];
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await pincer(home, args, { environment, input: "planted-stored-5\n" });
    printed.push(stdout, stderr);
  };
  const everything = async () => {
    for (const mode of [[], ["--json"]]) {
      for (const command of [
        "get channels",
        "get models.providers.mock",
        "get channels.telegram.botToken",
        "show",
        "show --defaults",
        "show --sources",
        "validate",
        "history --diff",
        "gateway config show",
      ])
        await run(...(command.startsWith("gateway") ? [] : ["config"]), ...command.split(" "), ...mode);
    }
  };
  await home.writeConfig(withSecrets);
  await everything();
  await run("config", "set", "gateway.port", "7");
  await run("config", "set", "gateway.auth.token", "planted-set-4");
  await run("config", "set", "channels.feishu", "{ appSecret: 'planted-set-4' }", "--json");
  await run("secrets", "set", "mine");
  await run("secrets", "list", "--json");
  await run("config", "revert", "--json");
  await everything();
  for (const broken of [
    `{ gateway: { auth: { token: ["planted-wrong-8"] } } }`,
    `{ botToken "planted-wrong-8" }`,
    `{ edition: "sk-planted-wrong-8", unknownToken: "planted-wrong-8" }`,
  ]) {
    await home.writeConfig(broken);
    await everything();
    await run("config", "set", "gateway.auth.mode", "planted-wrong-8");
  }
  await run("config", "revert");

  // The place is part of what is compared, so that a failure names it.
  const expectClean = (text: string, where: string) =>
    expect({ where, found: planted.filter((secret) => text.includes(secret)) }).toEqual({ where, found: [] });
  for (const text of printed) expectClean(text, `output:\n${text}`);
  const allowed = new Set([home.configFile, home.lastGoodFile, join(home.root, "config.unparsable.json5")]);
  const files = await home.allFiles();
  for (const [file, text] of files) if (!allowed.has(file)) expectClean(text, file);
  expect([...files.keys()].filter((file) => file.startsWith(home.configHistoryDir)).length).toBeGreaterThan(
    4,
  );
  expect(await readFile(home.configFile, "utf8")).not.toContain("planted-set-4");
}, 30_000);

it("replaces a secret as a change that can be undone, and says what became of the former one", async () => {
  const home = await createTemporaryHome();
  const set = (value: string) => pincer(home, ["config", "set", "channels.telegram.botToken", value]);
  await set("planted-old");
  const replaced = await set("planted-new");
  expect(replaced.stderr).toContain("pincer secrets remove channels.telegram.botToken\n");
  expect(replaced.stderr).toContain("Change 2");
  expect((await pincer(home, ["secrets", "list"])).stdout).toMatch(
    /^channels\.telegram\.botToken +\S+ +not used in the config\nchannels\.telegram\.botToken-2 +\S+ +used in the config\n$/,
  );
  expect(json(await pincer(home, ["config", "revert", "--json"]))).toMatchObject({
    lostSecrets: [],
    kept: [],
  });
  expect(JSON.parse((await pincer(home, ["secrets", "list", "--json"])).stdout)).toMatchObject([
    { name: "channels.telegram.botToken", inConfig: true },
    { name: "channels.telegram.botToken-2", inConfig: false },
  ]);
});

it("says which list was not reverted", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ channels: { x: { n: 1, tokens: ['planted-1'] } } }");
  await pincer(home, [
    "config",
    "set",
    "channels.x",
    "{ n: 2, tokens: ['planted-2', 'planted-3'] }",
    "--force",
  ]);
  const reverted = await pincer(home, ["config", "revert"]);
  expect(reverted.stderr).toContain("channels.x.tokens stays as it is now");
  expect(await home.readConfig()).not.toContain("***");
});

it("takes a value that looks like a comment as the text it is", async () => {
  const home = await createTemporaryHome();
  await pincer(home, ["config", "set", "channels.x.prefix", "// "]);
  expect((await pincer(home, ["config", "get", "channels.x.prefix"])).stdout).toBe("// \n");
});

const planted = "sk-plant-ABCDEF123456";

it("refuses a stored secret in clear wherever it would stand, and names it", async () => {
  const home = await createTemporaryHome();
  await pincer(home, ["secrets", "set", "api"], { input: planted });
  for (const args of [
    ["agents.defaults.systemPrompt", `uses ${planted} in it`],
    ["owners", `["a:1", "${planted}"]`],
    ["agents.defaults", `{ model: { primary: "${planted}/x" } }`],
    [`channels.${planted}.enabled`, "true"],
    ["session.identityLinks", `{ "${planted}": ["a:1"] }`],
  ]) {
    const refused = await pincer(home, ["config", "set", ...args]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("the secret api in clear");
    expect(refused.stderr).toContain("secret:api");
    expect(refused.stderr).not.toContain(planted);
  }
  await expect(home.readConfig()).rejects.toThrow("ENOENT");
  expect(await pincer(home, ["config", "set", "gateway.auth.token", planted])).toMatchObject({ status: 0 });
});

it("takes any text for a value that is a name of ours too", async () => {
  const home = await createTemporaryHome();
  await pincer(home, ["secrets", "set", "weak"], { input: "gateway" });
  expect(await pincer(home, ["config", "set", "gateway.port", "7"])).toMatchObject({ status: 0 });
  expect(await home.readConfig()).toContain("gateway: { port: 7 }");
  expect((await pincer(home, ["config", "revert"])).status).toBe(0);
});

it("keeps a stored secret that was written by hand out of the history, in texts, names and comments", async () => {
  const home = await createTemporaryHome();
  const text = (port: number) =>
    `{ // ${planted.slice(3)}\n gateway: { port: ${port} },\n agents: { defaults: { systemPrompt: "say ${planted.slice(3)} now" } },\n session: { identityLinks: { "${planted.slice(3)}": ["a:1"] } } }`;
  await pincer(home, ["secrets", "set", "api"], { input: planted.slice(3) });
  await home.writeConfig(text(1));
  await pincer(home, ["config", "show"]);
  await pincer(home, ["config", "set", "gateway.port", "2"]);
  const records = [...(await home.allFiles())].filter(([file]) => file.startsWith(home.configHistoryDir));
  expect(records).toHaveLength(2);
  for (const [, content] of records) expect(content).not.toContain(planted.slice(3));
  expect(await pincer(home, ["config", "revert"])).toMatchObject({ status: 0 });
  const reverted = await home.readConfig();
  expect(reverted).toContain("port: 1");
  expect(reverted).toContain(`systemPrompt: "say ${planted.slice(3)} now"`);
  expect(reverted).not.toContain('"***"');
});

it("writes through a link, and says it when the link leads nowhere", async () => {
  const home = await createTemporaryHome();
  const target = join(home.root, "dotfiles", "pincer.json5");
  await mkdir(join(home.root, "dotfiles"));
  await writeFile(target, "{ gateway: { port: 1 } }");
  await symlink(target, home.configFile);
  expect(await pincer(home, ["config", "set", "gateway.port", "2"])).toMatchObject({ status: 0 });
  expect((await lstat(home.configFile)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toBe("{ gateway: { port: 2 } }");
  await rm(target);
  const refused = await pincer(home, ["config", "set", "gateway.port", "3"]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("is a broken link");
});

it("says what the disk refuses with a hint, not in the system's words", async () => {
  const home = await createTemporaryHome();
  await mkdir(home.configFile);
  const inTheWay = await pincer(home, ["config", "set", "gateway.port", "3", "--json"]);
  expect(json(inTheWay)).toMatchObject({ error: { code: "storage/unavailable", hint: expect.any(String) } });
  const other = await createTemporaryHome();
  await mkdir(join(other.root, "home.lock"));
  const locked = await pincer(other, ["secrets", "set", "a", "--json"], { input: "x" });
  expect(json(locked)).toMatchObject({ error: { code: "storage/unavailable", hint: expect.any(String) } });
});

it("warns in validate of secrets that are not there, and does not call a file with warnings fine", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig('{ gateway: { auth: {\n token: "secret:gate" } }, edtion: 1 }');
  const result = await pincer(home, ["config", "validate"]);
  expect(result.status).toBe(0);
  expect(result.stdout).toContain(
    `${home.configFile}:2:2: gateway.auth.token: there is no secret gate; \`pincer secrets set gate\` stores it`,
  );
  expect(result.stderr).toContain("can be used; 2 warning");
  expect((await pincer(home, ["config", "validate", "--strict"])).status).toBe(1);
  expect((await pincer(home, ["config", "show"])).stderr).not.toContain("secrets set");
  await pincer(home, ["secrets", "set", "gate"], { input: "x" });
  await pincer(home, ["config", "unset", "edtion"]);
  expect(await pincer(home, ["config", "validate"])).toMatchObject({
    status: 0,
    stdout: "",
    stderr: expect.stringContaining("is valid"),
  });
});

it("hints at the name that was meant and at how to write a list", async () => {
  const home = await createTemporaryHome();
  expect((await pincer(home, ["config", "get", "gatewya.port"])).stderr).toContain(
    "Did you mean gateway.port?",
  );
  expect((await pincer(home, ["config", "set", "tools.deny", "exec"])).stderr).toContain(
    `pincer config set tools.deny '["exec"]'`,
  );
});

it("prints lists on one line in tables", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ owners: ['a:1', 'b:2'], gateway: { default: { toolAllow: ['read', 'list'] } } }");
  expect((await pincer(home, ["config", "show", "--sources"])).stdout).toMatch(
    /^owners +\["a:1","b:2"\] +file$/m,
  );
  expect((await pincer(home, ["gateway", "config", "show"])).stdout).toMatch(
    /^toolAllow +\["read","list"\]$/m,
  );
});

it("speaks Chinese in everything that goes wrong", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig(
    "{ gatewya: 1, agent: { toolMaxSteps: 5 }, notify: { to: '${NOBODY}' }, bindings: [] }",
  );
  const environment = { PINCER_LANG: "zh", PINCER_PORT: "x" };
  const commands = [
    "config show",
    "config validate",
    "config validate nowhere",
    "config get nosuch",
    "config get a..b",
    "config set gateway.port x",
    "config set tools.deny exec",
    "config set agents.list[0].model [1]",
    "config set session.reset {atHour:25}",
    "config set gatewya.port 1",
    "config set bindings[3] 1",
    "config set owners[1] x",
    "config set language.x 1 --force",
    "config unset nosuch",
    "config revert 99",
    "config revert x",
    "secrets set -",
    "secrets set a",
    "secrets remove a",
    "gateway config set",
    "gateway config set --channel . --memory",
    "gateway config set --channel x --provider y",
    "gateway config set --tool-max-steps 0",
  ];
  const expectChinese = async (command: string) => {
    const { stdout, stderr } = await pincer(home, command.split(" "), { environment });
    const lines = (command === "config show" ? stderr : stdout + stderr).trim().split("\n");
    for (const line of lines) {
      expect({ command, line }).toEqual({ command, line: expect.stringMatching(/[\u4e00-\u9fff]/) });
      expect(line).not.toMatch(/\{\w+\}|expected|did you mean|There is/);
    }
  };
  for (const command of commands) await expectChinese(command);
  for (const broken of ["{ a: ", "{ a b", "{ a: 1 }}", "[".repeat(99), "{ gateway: 1 }"]) {
    await home.writeConfig(broken);
    for (const command of ["config validate", "config set gateway.port 1"]) await expectChinese(command);
  }
});

it("describes every argument", async () => {
  const home = await createTemporaryHome();
  for (const command of ["get", "set", "unset", "validate", "revert"])
    expect((await pincer(home, ["config", command, "--help"])).stdout).toMatch(/^Arguments:\n +\w+ {2,}\w+/m);
  for (const command of ["set", "remove"])
    expect((await pincer(home, ["secrets", command, "--help"])).stdout).toMatch(
      /^Arguments:\n +name {2,}\w+/m,
    );
});

it("stops waiting for a secret on stdin when it is interrupted", async () => {
  const home = await createTemporaryHome();
  const interrupt = new AbortController();
  const running = pincer(home, ["secrets", "set", "a"], {
    stdin: new PassThrough(),
    signal: interrupt.signal,
  });
  setImmediate(() => interrupt.abort());
  expect(await running).toMatchObject({ status: 130, stdout: "" });
});

it("warns in validate of names that no tool has", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ agents: { defaults: { context: { includeTools: ['tools_ecoh', 'read'] } } } }");
  const result = await pincer(home, ["config", "validate"]);
  expect(result.stdout).toContain("names tools_ecoh,");
  expect((await pincer(home, ["config", "validate", "--strict"])).status).toBe(1);
});
