import { chmod, mkdir, readFile, stat, symlink } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import { readPath, withPath, type ConfigPath } from "@pincer/sdk";
import { defaultConfig } from "./default-config.ts";
import { evaluateConfig } from "./evaluate-config.ts";
import { loadConfig } from "./load-config.ts";
import { describeProblem } from "./loaded-config.ts";
import { ConfigSchema } from "./schema.ts";
import { everydayConfig, olderConfig } from "./testing/samples.ts";
import { surviveMutations } from "./testing/survive-mutations.ts";
import { createTemporaryHome } from "./testing/temporary-home.ts";

const evaluate = (
  text: string,
  environment: Record<string, string> = {},
  more: { profile?: string; lastGood?: string; flags?: Record<string, unknown> } = {},
) =>
  evaluateConfig({
    text,
    file: "config.json5",
    environment,
    profile: more.profile,
    lastGood: more.lastGood,
    flags: more.flags ?? {},
  });

it("CFG-04 starts without a file on defaults", async () => {
  const home = await createTemporaryHome();
  const loaded = await loadConfig({ home, environment: {} });
  expect(loaded).toMatchObject({ config: defaultConfig, mode: "normal", problems: [], sources: {} });
});

it("imports neither parser nor schema when there is no file", () => {
  const door = fileURLToPath(new URL("load-config.ts", import.meta.url));
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { loadConfig } = await import(${JSON.stringify(door)});
    const home = { root: "/nowhere", configFile: "/nowhere/a", lastGoodFile: "/nowhere/b", configHistoryDir: "/nowhere/c" };
    await loadConfig({ home, environment: { PINCER_PORT: "1234" } });
    console.log(loaded.filter((url) => /typebox|momoa|schema|sqlite|diff/.test(url)).join());`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(output.trim()).toBe("");
});

it("gives the same config without a file as with an empty one, whatever the environment says", async () => {
  const environment = {
    TELEGRAM_TOKEN: "123:abc",
    TELEGRAM_ALLOW_FROM: "1, 2",
    PINCER_PORT: "1",
    PINCER_EDITION: "x",
    PROFILE_WORK_MODEL: "a/b",
  };
  const light = await loadConfig({ home: await createTemporaryHome(), environment, profile: "work" });
  const full = evaluate("{}", environment, { profile: "work" });
  expect(light.config).toEqual(full.config);
  expect(light.sources).toEqual(full.sources);
  expect(light.problems).toEqual(full.problems);
  expect(Compile(ConfigSchema).Check(light.config)).toBe(true);
});

it("warns of an unknown key with its line and the name that was meant, and goes on", () => {
  const { mode, problems } = evaluate("{\n  gatewya: { port: 1 },\n}");
  expect(mode).toBe("normal");
  expect(problems.map(describeProblem)).toEqual([
    "config.json5:2:3: gatewya: unknown key; did you mean gateway?",
  ]);
});

it("brings an agent's id to its one spelling, wherever it stands, and names it", () => {
  const { mode, config, problems } = evaluate(
    `{ agents: { list: [{ id: "Helper", default: true }] },
       routing: { bindings: [{ match: { channel: "*" }, agentId: " HELPER" }] },
       profiles: { w: { agents: { list: [{ id: "\${WHO}" }] } } } }`,
    { WHO: "Other" },
    { profile: "w" },
  );
  expect(mode).toBe("normal");
  expect(config.bindings).toMatchObject([{ agentId: "helper" }]);
  expect(config.agents.list).toEqual([{ id: "other" }]);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(problems.map(describeProblem)).toContainEqual(
    expect.stringMatching(/^config\.json5:1:22: agents\.list\[0\]\.id: .* becomes helper;/),
  );
  expect(problems.map(describeProblem)).toContainEqual(
    expect.stringMatching(/^config\.json5:2:\d+: bindings\[0\]/),
  );
  const alone = evaluate('{agents:{list:[{id:"Helper",default:true}]}}');
  expect(alone).toMatchObject({
    mode: "normal",
    config: { agents: { list: [{ id: "helper", default: true }] } },
  });
});

it.each([
  "agents: { list: [\n{ id: 'my helper' }] }",
  "bindings: [{ match: { channel: 'x' },\n agentId: '' }]",
])("names the line of what can be no agent's id: %j", (text) => {
  const { mode, problems } = evaluate(`{ ${text} }`);
  expect(mode).toBe("safe");
  expect(problems).toMatchObject([{ type: "bad-value", line: 2, key: expect.stringMatching(/id$/i) }]);
});

it("does not show a key that was pasted where an agent's id belongs", () => {
  const { problems } = evaluate('{ agents: { list: [{ id: "sk-PLANTED12345" }] } }');
  expect(problems).toHaveLength(1);
  expect(JSON.stringify(problems).toLowerCase()).not.toContain("planted");
});

it("takes a file with nothing but comments for an empty config", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("// nothing yet\n/* { gateway: { port: 1 } } */\n");
  expect(await loadConfig({ home, environment: {} })).toMatchObject({
    config: defaultConfig,
    mode: "normal",
    hasText: true,
    problems: [],
  });
});

it("uses the last good config for a bad value and says file, line, column, key and what was expected", () => {
  const { mode, fallback, config, problems } = evaluate(
    "{\n gateway: {\n  port: 'x' } }",
    {},
    { lastGood: "{ gateway: { port: 7 } }" },
  );
  expect({ mode, fallback }).toEqual({ mode: "safe", fallback: "last-good" });
  expect(config.gateway.port).toBe(7);
  expect(problems.map(describeProblem)).toEqual([
    "config.json5:3:3: gateway.port: expected a whole number from 0 to 65535",
  ]);
});

it("uses defaults when the last good config is no good either", () => {
  const { fallback, config } = evaluate("{", {}, { lastGood: "{ gateway: 5 }" });
  expect({ fallback, config }).toEqual({ fallback: "defaults", config: defaultConfig });
});

it("keeps each good text as the last good one, for its owner alone", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 7 } }");
  await loadConfig({ home, environment: {} });
  expect(await readFile(home.lastGoodFile, "utf8")).toBe("{ gateway: { port: 7 } }");
  expect((await stat(home.lastGoodFile)).mode & 0o777).toBe(0o600);
  for (const broken of ["{ gateway: { port: 'x' } }", "{ nonsense", ""]) {
    await home.writeConfig(broken);
    const loaded = await loadConfig({ home, environment: {} });
    expect(loaded).toMatchObject({ mode: "safe", fallback: "last-good", config: { gateway: { port: 7 } } });
    expect(loaded.problems[0]).toMatchObject({ severity: "error", file: home.configFile, line: 1 });
  }
  expect(await readFile(home.lastGoodFile, "utf8")).toBe("{ gateway: { port: 7 } }");
});

it("takes an empty file for no file when there never was a good one", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig(" \n");
  expect(await loadConfig({ home, environment: {} })).toMatchObject({
    mode: "normal",
    problems: [],
    hasText: false,
  });
});

it("starts in safe mode when the file cannot be read at all", async () => {
  const home = await createTemporaryHome();
  await mkdir(home.configFile);
  expect(await loadConfig({ home, environment: {} })).toMatchObject({
    mode: "safe",
    config: defaultConfig,
    problems: [{ type: "unreadable" }],
  });
  const looped = await createTemporaryHome();
  await symlink(looped.configFile, looped.configFile);
  expect(await loadConfig({ home: looped, environment: {} })).toMatchObject({
    mode: "safe",
    fallback: "defaults",
  });
});

it("only warns when the last good config cannot be kept", async () => {
  const home = await createTemporaryHome();
  await home.writeConfig("{ gateway: { port: 7 } }");
  await mkdir(home.lastGoodFile);
  await chmod(home.root, 0o700);
  const loaded = await loadConfig({ home, environment: {} });
  expect(loaded).toMatchObject({
    mode: "normal",
    config: { gateway: { port: 7 } },
    problems: [{ severity: "warning", type: "not-kept" }],
  });
});

it("CFG-04 fills variables, keeps escaped ones, and leaves a key to its default when its variable is missing", () => {
  const text = `{ notify: { to: "a-\${WHO}-$\${WHO}" }, gateway: { port: "\${PORT}", host: "\${NOBODY}" }, language: "\${TONGUE}", owners: ["\${NOBODY}", "x"] }`;
  const { config, problems, mode } = evaluate(text, { WHO: "me", PORT: "99", TONGUE: "klingon" });
  expect(mode).toBe("normal");
  expect(config).toMatchObject({
    notify: { to: "a-me-${WHO}" },
    gateway: { port: 99 },
    owners: ["x"],
    language: "auto",
  });
  expect(config.gateway.host).toBeUndefined();
  expect(problems.map(({ key, message }) => [key, /variable (\w+)/.exec(message)?.[1]])).toEqual([
    ["gateway.host", "NOBODY"],
    ["language", "TONGUE"],
    ["owners[0]", "NOBODY"],
  ]);
});

it("leaves secret:NAME as it is", () => {
  expect(evaluate(everydayConfig, { MOCK_KEY: "k" }).config.channels["telegram"]?.botToken).toBe(
    "secret:telegram",
  );
});

it("accepts older spellings, says so, and finds faults at the line where they stand", () => {
  const { config, problems, mode } = evaluate(olderConfig);
  expect(mode).toBe("normal");
  expect(config.agents.defaults).toMatchObject({
    toolMaxSteps: 7,
    model: { primary: "mock/mock-1" },
    restrictToWorkspace: false,
  });
  expect(new Set(problems.map(({ type }) => type))).toEqual(new Set(["old-spelling"]));
  expect(
    evaluate("{\n agent: {\n  toolMaxSteps: 'x' } }").problems.find(({ severity }) => severity === "error"),
  ).toMatchObject({ line: 3, key: "agents.defaults.toolMaxSteps" });
});

it("warns of a config from a newer Pincer and uses what it knows of it", () => {
  expect(evaluate("{ configVersion: 99, gateway: { port: 7 }, quantum: true }")).toMatchObject({
    mode: "normal",
    config: { gateway: { port: 7 } },
  });
});

it("ignores bad environment values with a warning that does not repeat them", () => {
  const { config, problems } = evaluate("{}", { PINCER_PORT: "planted", MAX_CONTEXT_MESSAGES: "0" });
  expect(config).toEqual(defaultConfig);
  expect(problems.map(({ type }) => type)).toEqual(["ignored-variable", "ignored-variable"]);
  expect(JSON.stringify(problems)).not.toContain("planted");
});

it("CFG-06 takes MAX_CONTEXT_MESSAGES from the environment", () => {
  expect(evaluate("{}", { MAX_CONTEXT_MESSAGES: "12" }).config.agents.defaults.maxContextMessages).toBe(12);
});

it("chooses the profile: asked for, then PINCER_PROFILE, then the file", () => {
  const text =
    "{ profile: 'c', profiles: { a: { gateway: { port: 1 } }, b: { gateway: { port: 2 } }, c: { gateway: { port: 3 } } } }";
  expect(evaluate(text, { PINCER_PROFILE: "b" }, { profile: "a" }).config.gateway.port).toBe(1);
  expect(evaluate(text, { PINCER_PROFILE: "b" }).config.gateway.port).toBe(2);
  expect(evaluate(text).config.gateway.port).toBe(3);
  expect(evaluate(text, {}, { profile: "nobody" })).toMatchObject({
    config: { gateway: { port: 18650 } },
    problems: [{ type: "unknown-profile" }],
  });
});

it("CFG-05 X39 lets the highest layer that sets a key win, for every key and every set of layers", () => {
  const keys: Array<{ suffix: string; path: ConfigPath; values: unknown[] }> = [
    {
      suffix: "MODEL",
      path: ["agents", "defaults", "model", "primary"],
      values: ["a/1", "b/2", "c/3", "d/4", "e/5"],
    },
    { suffix: "PORT", path: ["gateway", "port"], values: [1, 2, 3, 4, 5] },
    {
      suffix: "MAX_CONTEXT_MESSAGES",
      path: ["agents", "defaults", "maxContextMessages"],
      values: [1, 2, 3, 4, 5],
    },
    {
      suffix: "TELEGRAM_ALLOW_FROM",
      path: ["channels", "telegram", "allowFrom"],
      values: [["1"], ["2"], ["3"], ["4"], ["5"]],
    },
    {
      suffix: "SYSTEM_PROMPT",
      path: ["agents", "defaults", "systemPrompt"],
      values: ["1", "2", "3", "4", "5"],
    },
  ];
  const layers = ["file", "profile", "environment", "profile-environment", "flag"] as const;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...keys)),
      fc.array(fc.subarray([...layers]), { minLength: 5, maxLength: 5 }),
      (chosen, sets) => {
        let file: unknown = { profiles: { "my-work": {} } };
        const environment: Record<string, string> = {};
        const flags: Record<string, unknown> = {};
        chosen.forEach(({ suffix, path, values }, index) => {
          for (const layer of sets[index] ?? []) {
            const value = values[layers.indexOf(layer)];
            if (layer === "file") file = withPath(file, path, value);
            if (layer === "profile") file = withPath(file, ["profiles", "my-work", ...path], value);
            if (layer === "environment") environment[`PINCER_${suffix}`] = String(value);
            if (layer === "profile-environment") environment[`PROFILE_MY_WORK_${suffix}`] = String(value);
            if (layer === "flag") flags[path.join(".")] = value;
          }
        });
        const loaded = evaluate(JSON.stringify(file), environment, { profile: "my-work", flags });
        chosen.forEach(({ path, values }, index) => {
          const highest = layers.findLast((layer) => sets[index]?.includes(layer));
          const expected =
            highest === undefined ? readPath(defaultConfig, path) : values[layers.indexOf(highest)];
          expect(readPath(loaded.config, path)).toEqual(expected);
          expect(loaded.sources[path.join(".")]?.layer).toBe(highest);
        });
      },
    ),
    { numRuns: 500 },
  );
});

it("ignores a flag that does not fit", () => {
  const { config, problems } = evaluate(
    "{}",
    {},
    { flags: { "gateway.port": "x", "no.such.key": 1, "..": 2, edition: undefined } },
  );
  expect(config).toEqual(defaultConfig);
  expect(problems.map(({ type }) => type)).toEqual(["ignored-flag", "ignored-flag", "ignored-flag"]);
});

it("does not let a file reach any prototype", () => {
  evaluate(
    '{ "__proto__": { polluted: 1 }, channels: { constructor: { prototype: { polluted: 1 } } }, profiles: { x: { __proto__: { polluted: 1 } } } }',
    {},
    { profile: "x" },
  );
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

it("survives 2,000 mutated configs", () => {
  const { safe } = surviveMutations(7, 2000);
  expect(safe).toBeGreaterThan(400);
  expect(safe).toBeLessThan(1990);
});

it("CFG-04 tells of a format that is not spoken, with those that are, and starts with it all the same", () => {
  const text = `{ models: { providers: { mine: { baseUrl: "HTTP://10.0.0.5:8000/v1", api: "openai-completion" } } } }`;
  const { mode, problems, config } = evaluate(text);
  expect(mode).toBe("normal");
  expect(problems).toMatchObject([
    {
      severity: "warning",
      type: "unlisted-value",
      key: "models.providers.mine.api",
      message: expect.stringContaining('"openai-completions"'),
    },
  ]);
  expect(config.models.providers["mine"]?.api).toBe("openai-completion");
});

it.each(["not a url", "file:///etc/passwd", "10.0.0.5:8000", "http://", "ftp://host/v1"])(
  "CFG-04 says that %s is no address of a server",
  (baseUrl) => {
    const { problems } = evaluate(JSON.stringify({ models: { providers: { mine: { baseUrl } } } }));
    expect(problems).toMatchObject([
      {
        type: "bad-value",
        key: "models.providers.mine.baseUrl",
        message: expect.stringContaining("https://"),
      },
    ]);
  },
);

it.each([
  ["Asia/Shangai", "Asia/Shanghai"],
  ["shanghai", "Asia/Shanghai"],
  ["Europe/Zuerich", "Europe/Zurich"],
  ["New York", "America/New_York"],
  ["Mars/Phobos", "Asia/Shanghai"],
])("CFG-04 says that there is no time zone %s, names some, and starts all the same", (zone, meant) => {
  const text = JSON.stringify({ agents: { list: [{ id: "main", userTimezone: zone }] } });
  const { mode, problems, config } = evaluate(text);
  expect(mode).toBe("normal");
  expect(problems).toMatchObject([
    {
      severity: "warning",
      type: "unlisted-value",
      key: "agents.list[0].userTimezone",
      message: expect.stringContaining(meant),
    },
  ]);
  expect(config.agents.list[0]?.userTimezone).toBe(zone);
});

it("takes time zones and roles that there are", () => {
  for (const userTimezone of ["UTC", "Asia/Shanghai", "asia/shanghai", "Asia/Calcutta", "+08:00"])
    expect(evaluate(JSON.stringify({ agents: { defaults: { userTimezone } } })).problems).toEqual([]);
  const shown = (roles: string[]) => JSON.stringify({ tools: { visibility: [{ tools: ["read"], roles }] } });
  expect(evaluate(shown(["owner", "peer"])).problems).toEqual([]);
  expect(evaluate(shown(["ownr"])).problems).toMatchObject([
    { severity: "warning", type: "unlisted-value", key: "tools.visibility[0].roles[0]" },
  ]);
});
