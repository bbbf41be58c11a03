import { createHandClock } from "@pincer/sdk/testing";
import type { Clock } from "../../infra/clock.ts";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Login } from "../../gateway/methods/auth-login.ts";
import { chat, done, sse } from "../../models/wire/testing/chat-stream.ts";
import { createReplayServer } from "../../models/wire/testing/replay-server.ts";
import type { CommandModule } from "../command.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal, runCommand } from "../testing/fake-terminal.ts";
import * as auth from "./auth.ts";

const planted = "sk-planted-secret-1234";
const logIn = (home: CommandHome, ...args: string[]) =>
  home.runAt(createFakeTerminal({ stdin: `${planted}\n` }), auth, "auth", "login", ...args, "--key-stdin");

interface Status {
  credentials: Array<{
    id: string;
    position: number | null;
    label: string;
    source: string;
    agentId: string | null;
  }>;
  offers: Array<{ provider: string; variable: string }>;
}
const statusOf = async (home: CommandHome) =>
  (await home.run(auth, "auth", "status", "--json")).json<Status>();

describe.each([
  ["over the home", false],
  ["through a gateway", true],
])("pincer auth %s", (_name, withGateway) => {
  async function openHome(): Promise<CommandHome> {
    const home = await createCommandHome();
    if (withGateway) await home.startGateway();
    return home;
  }

  it("CLI-14 stores a key from stdin, shows it by its end, and forgets it", async () => {
    const home = await openHome();
    const stored = await logIn(home, "openai");
    expect(stored).toMatchObject({ status: 0, out: "", err: expect.stringContaining("openai:default") });
    expect((await statusOf(home)).credentials).toMatchObject([
      { id: "openai:default", position: 1, label: "…1234", source: "login", agentId: null },
    ]);
    const shown = await home.run(auth, "auth", "status");
    expect(shown.out).toMatch(
      /openai\n\s+1\s+openai:default\s+all agents\s+api_key\s+…1234\s+login\s+ready\s+not used yet/,
    );
    for (const { out, err } of [stored, shown]) expect(out + err).not.toContain("planted");
    expect((await home.run(auth, "auth", "logout", "openai:default")).status).toBe(0);
    expect((await statusOf(home)).credentials).toEqual([]);
    expect((await home.run(auth, "auth", "logout", "openai:default")).status).toBe(1);
  });

  it("CLI-14 switches between credentials and sets their order", async () => {
    const home = await openHome();
    await logIn(home, "openai", "--name", "work");
    await logIn(home, "openai", "--name", "home");
    await logIn(home, "openai", "--name", "own", "--agent", "main");
    expect((await home.run(auth, "auth", "order", "openai")).out).toBe("home\nwork\n");
    const used = await home.run(auth, "auth", "use", "work");
    expect(used.err).toContain("openai now uses work first");
    expect((await home.run(auth, "auth", "order", "openai")).out).toBe("work\nhome\n");
    expect((await home.run(auth, "auth", "order", "openai", "home")).out).toBe("home\n");
    expect((await home.run(auth, "auth", "order", "openai", "--clear", "--json")).json()).toEqual({
      provider: "openai",
      order: ["home", "work"],
    });
  });

  it("AUTH-01 brings a file along and writes one that nobody else can read", async () => {
    const home = await openHome();
    const file = join(home.root, "auth-profiles.json");
    const profiles = { "openai:default": { type: "api_key", provider: "openai", key: planted } };
    await writeFile(file, JSON.stringify({ version: 1, profiles }));
    const imported = await home.run(auth, "auth", "import", "auth-profiles.json");
    expect(imported).toMatchObject({ status: 0, err: "Imported: openai:default.\n" });
    const exported = await home.run(auth, "auth", "export", "out.json");
    expect(exported.err).toContain("contains the secrets themselves");
    const out = join(home.root, "out.json");
    expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({ profiles });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect((await home.run(auth, "auth", "export", "out.json")).status).toBe(2);
    expect((await home.run(auth, "auth", "export", "out.json", "--force")).status).toBe(0);
    await writeFile(file, "{");
    expect(await home.run(auth, "auth", "import", "auth-profiles.json")).toMatchObject({
      status: 2,
      err: expect.stringContaining("Nothing was changed"),
    });
  });

  it("CLI-14 asks the provider whether it takes a credential, and tells what it said", async () => {
    const server = await createReplayServer();
    onTestFinished(() => server.close());
    const home = await createCommandHome();
    const providers = { mine: { baseUrl: `${server.url}/v1`, models: [{ id: "small" }] } };
    await mkdir(home.environment["PINCER_HOME"] ?? "", { mode: 0o700 });
    await writeFile(
      join(home.environment["PINCER_HOME"] ?? "", "config.json5"),
      JSON.stringify({ models: { providers } }),
      { mode: 0o600 },
    );
    if (withGateway) await home.startGateway();
    await logIn(home, "mine");
    server.play({ body: sse(chat({ content: "ok" }), chat({}, "stop")) + done });
    const tested = await home.run(auth, "auth", "test", "--json");
    expect(tested.json<{ results: unknown }>().results).toMatchObject([{ id: "mine:default", ok: true }]);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${planted}`);

    server.play({ status: 401, body: JSON.stringify({ error: { message: "Incorrect API key provided" } }) });
    const refused = await home.run(auth, "auth", "test");
    expect(refused.status).toBe(1);
    expect(refused.out).toMatch(/^mine:default is refused: /);
    expect(refused.out + refused.err).toContain("Incorrect API key");
    expect(refused.out + refused.err).not.toContain(planted);
  });
});

it("CLI-14 tests a credential of a server that has only an address, and one for which a limit is reached", async () => {
  const server = await createReplayServer();
  onTestFinished(() => server.close());
  const home = await createCommandHome();
  const root = join(home.root, "home");
  await mkdir(root, { mode: 0o700 });
  const providers = { mine: { baseUrl: `${server.url}/v1` } };
  const configure = (more: object) =>
    writeFile(join(root, "config.json5"), JSON.stringify({ models: { providers }, ...more }), {
      mode: 0o600,
    });
  await configure({});
  await logIn(home, "mine");
  server.play({ status: 404, body: "" });
  const unclear = await home.run(auth, "auth", "test");
  expect(unclear).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^mine:default: unclear: .*HTTP 404/),
  });
  expect(server.requests.map(({ url }) => url)).toEqual(["/v1/models"]);

  await configure({ agents: { defaults: { model: { primary: "mine/small" } } } });
  server.play({ body: sse(chat({ content: "ok" }), chat({}, "stop")) + done });
  expect(await home.run(auth, "auth", "test")).toMatchObject({
    status: 0,
    out: "mine:default works (mine/small).\n",
  });

  await configure({
    agents: { defaults: { model: { primary: "mine/small" } } },
    budgets: { day: { calls: 1 } },
  });
  server.play({ status: 401, body: "{}" });
  const refused = await home.run(auth, "auth", "test");
  expect(refused).toMatchObject({ status: 1, out: expect.stringContaining("is refused") });
  server.play({ status: 503, body: "{}" });
  const limited = await home.run(auth, "auth", "test");
  expect(limited).toMatchObject({ status: 1, out: expect.stringContaining("unclear") });
});

describe("pincer auth login", () => {
  it("CLI-14 asks for nothing where nobody can answer, and says how to pipe the key in", async () => {
    const home = await createCommandHome();
    const refused = await home.run(auth, "auth", "login", "openai");
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining("--key-stdin") });
    const empty = await home.runAt(
      createFakeTerminal({ stdin: " \n" }),
      auth,
      "auth",
      "login",
      "openai",
      "--key-stdin",
    );
    expect(empty.status).toBe(2);
    expect((await statusOf(home)).credentials).toEqual([]);
  });

  it("CLI-14 says what a mistyped provider or agent may have been before it asks for the key", async () => {
    const home = await createCommandHome();
    // Nothing on stdin: nobody was asked for the key.
    const typo = await home.run(auth, "auth", "login", "anthropc", "--key-stdin");
    expect(typo).toMatchObject({ status: 1, err: expect.stringContaining("Did you mean anthropic?") });
    const nobody = await logIn(home, "openai", "--agent", "nosuch");
    expect(nobody).toMatchObject({ status: 1, err: expect.stringContaining("Known agents: main") });
    expect((await statusOf(home)).credentials).toEqual([]);
    expect((await logIn(home, "anthropc", "--force")).status).toBe(0);
    expect((await statusOf(home)).credentials).toMatchObject([{ id: "anthropc:default" }]);
    const shown = await home.run(auth, "auth", "status", "--provider", "opnai");
    expect(shown).toMatchObject({ status: 1, err: expect.stringContaining("Did you mean openai?") });
  });

  it("CLI-14 says that the credential to be used first is on cooldown", async () => {
    const home = await createCommandHome();
    await logIn(home, "openai", "--name", "work");
    await logIn(home, "openai", "--name", "spare");
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await home.fill((stores) =>
      stores.credentials.noteUse({ id: "work", agentId: null, provider: "openai" }, (use) => ({
        ...use,
        cooldownUntil: until,
        lastError: "429: slow down",
      })),
    );
    const used = await home.run(auth, "auth", "use", "work");
    expect(used.status).toBe(0);
    expect(used.err).toContain(`not before ${until}: it is on cooldown (429: slow down)`);
    expect((await home.run(auth, "auth", "use", "spare")).err).toBe("openai now uses spare first.\n");
  });

  it("AUTH-05 refuses a key that no header takes", async () => {
    const home = await createCommandHome();
    const terminal = createFakeTerminal({ stdin: "sk-plan ted-0123\n" });
    const refused = await home.runAt(terminal, auth, "auth", "login", "openai", "--key-stdin");
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining("white space") });
    expect(refused.err).not.toContain("ted-0123");
  });

  const withLogin = (login: Login, clock?: Clock): CommandModule => ({
    register: (program, context) => auth.registerAuth(program, context, login, clock),
  });

  it("AUTH-15 gives up a login for which nobody sits at a terminal, in one document under --json", async () => {
    const home = await createCommandHome();
    const clock = createHandClock();
    const waits = Promise.withResolvers<void>();
    const module = withLogin(async (_provider, { prompt, notify }) => {
      notify({ type: "device_code", verificationUri: "https://device.example", userCode: "ABCD" });
      const code = prompt({ type: "manual_code", message: "code?" });
      waits.resolve();
      return { access: await code };
    }, clock);
    const asking = home.run(module, "auth", "login", "openai-codex", "--json");
    await waits.promise;
    await clock.advance(15 * 60_000);
    const ran = await asking;
    expect(ran).toMatchObject({ status: 1, err: expect.stringContaining("ABCD") });
    expect(ran.err).toContain("within 15 minutes");
    expect(ran.json()).toMatchObject({ error: { code: "model/failed" } });
  });

  it("AUTH-15 leads through the provider's own login, stores it, and switches between two", async () => {
    const home = await createCommandHome();
    const module = withLogin(async (provider, { notify, prompt }) => {
      const method = await prompt({
        type: "select",
        message: "How?",
        options: [
          { id: "browser", label: "Browser" },
          { id: "device", label: "Device" },
        ],
      });
      notify({ type: "auth_url", url: `https://login.example/${provider}?${method}` });
      notify({ type: "device_code", verificationUri: "https://device.example", userCode: "ABCD" });
      return { refresh: "planted-refresh", access: "planted-access", expires: Date.now() + 3_600_000 };
    });
    for (const name of ["work", "home"]) {
      const done = await home.run(module, "auth", "login", "openai-codex", "--oauth", "--name", name);
      expect(done).toMatchObject({ status: 0, out: "" });
      expect(done.err).toContain("https://login.example/openai-codex?device");
      expect(done.err).toContain("ABCD");
      expect(done.err).not.toContain("planted");
    }
    await home.run(auth, "auth", "use", "work");
    expect((await statusOf(home)).credentials.map(({ id, position }) => [id, position])).toEqual([
      ["work", 1],
      ["home", 2],
    ]);
  });

  it("AUTH-15 goes to the login of a provider that takes no keys, and never stores a key for it", async () => {
    const home = await createCommandHome();
    const module = withLogin(async () => ({ refresh: "r-planted", access: "a-planted", expires: 9e12 }));
    const done = await home.run(module, "auth", "login", "openai-codex");
    expect(done).toMatchObject({ status: 0, err: expect.stringContaining("openai-codex:default") });
    await home.run(auth, "auth", "logout", "openai-codex:default");
    for (const flag of [[], ["--token"]]) {
      const refused = await logIn(home, "openai-codex", ...flag);
      expect(refused).toMatchObject({ status: 2, out: "" });
      expect(refused.err).toContain("takes no keys");
      expect(refused.err).toContain("pincer auth login openai-codex");
    }
    expect((await statusOf(home)).credentials).toEqual([]);
  });

  it("CLI-14 refuses a name that another provider's credential has, before anybody logs in", async () => {
    const home = await createCommandHome();
    await logIn(home, "anthropic", "--name", "main");
    const taken = { status: 2, err: expect.stringContaining("pincer auth logout main") };
    expect(await logIn(home, "openai", "--name", "main")).toMatchObject(taken);
    let isAsked = false;
    const module = withLogin(async () => {
      isAsked = true;
      return { refresh: "r", access: "a", expires: 9e12 };
    });
    const asked = ["auth", "login", "openai-codex", "--oauth"];
    expect(await home.run(module, ...asked, "--name", "main")).toMatchObject(taken);
    expect(isAsked).toBe(false);
    expect((await home.run(module, ...asked, "--name", "main", "--agent", "main")).status).toBe(0);
    const { credentials } = await statusOf(home);
    expect(credentials).toMatchObject([
      { id: "main", provider: "anthropic" },
      { id: "main", provider: "openai-codex", agentId: "main" },
    ]);
  });

  it("AUTH-15 says why a login did not succeed, without what the provider answered, and ends on Ctrl-C", async () => {
    const home = await createCommandHome();
    const broken = withLogin(() =>
      Promise.reject(new Error('response missing fields: {"access_token":"planted"}')),
    );
    const failed = await home.run(broken, "auth", "login", "openai-codex", "--oauth");
    expect(failed).toMatchObject({ status: 1, err: expect.stringContaining("response missing fields") });
    expect(failed.err).not.toContain("planted");

    const stop = new AbortController();
    const waiting = withLogin(async (_provider, { prompt, notify }) => {
      notify({ type: "progress", message: "waiting" });
      queueMicrotask(() => stop.abort(new DOMException("stopped", "AbortError")));
      return { access: await prompt({ type: "manual_code", message: "code?" }) };
    });
    const { environment, root: cwd } = home;
    const args = ["auth", "login", "openai-codex", "--oauth"];
    expect((await runCommand(waiting, args, { environment, cwd, signal: stop.signal })).status).toBe(130);
    expect((await statusOf(home)).credentials).toEqual([]);
  });

  it("AUTH-14 says which logins there are where there is none", async () => {
    const home = await createCommandHome();
    const refused = await home.run(auth, "auth", "login", "google-antigravity", "--oauth");
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining("github-copilot") });
  });
});

describe("pincer auth import", () => {
  const withKeys = async () => {
    const home = await createCommandHome();
    Object.assign(home.environment, { OPENAI_API_KEY: planted, GROQ_API_KEY: `${planted}-2` });
    return home;
  };

  it("AUTH-12 offers what lies in the environment, and takes none of it by itself", async () => {
    const home = await withKeys();
    expect(await statusOf(home)).toEqual({
      credentials: [],
      offers: [
        { provider: "groq", variable: "GROQ_API_KEY" },
        { provider: "openai", variable: "OPENAI_API_KEY" },
      ],
    });
    expect((await home.run(auth, "auth", "status")).err).toContain(
      "OPENAI_API_KEY is set in the environment but not used",
    );
    const asked = await home.run(auth, "auth", "import", "--env");
    expect(asked).toMatchObject({ status: 2, err: expect.stringContaining("OPENAI_API_KEY") });
    expect((await statusOf(home)).credentials).toEqual([]);
    const taken = await home.run(auth, "auth", "import", "--env", "--yes");
    expect(taken.err).toContain("openai:OPENAI_API_KEY");
    expect(taken.out + taken.err).not.toContain("planted");
    const { credentials, offers } = await statusOf(home);
    expect(credentials.map(({ id, source }) => [id, source])).toEqual([
      ["groq:GROQ_API_KEY", "environment"],
      ["openai:OPENAI_API_KEY", "environment"],
    ]);
    expect(offers).toEqual([]);
  });

  it("AUTH-12 X43 takes another program's login only on request, with a warning", async () => {
    const home = await createCommandHome();
    await mkdir(join(home.root, ".claude"));
    const login = { accessToken: "planted-access", refreshToken: "planted-refresh", expiresAt: 9e12 };
    await writeFile(join(home.root, ".claude/.credentials.json"), JSON.stringify({ claudeAiOauth: login }));
    expect((await statusOf(home)).credentials).toEqual([]);
    const taken = await home.run(auth, "auth", "import", "--from", "claude-cli");
    expect(taken.err).toContain("may not allow");
    expect(taken.err).toContain("Imported: anthropic:claude-cli.");
    const missing = await home.run(auth, "auth", "import", "--from", "codex-cli");
    expect(missing).toMatchObject({ status: 2, err: expect.stringContaining(".codex/auth.json") });
  });

  it("AUTH-14 says what it left out, and why", async () => {
    const home = await createCommandHome();
    const profiles = {
      login: { type: "oauth", provider: "mine", access: "planted-access", refresh: "planted-refresh" },
      empty: { type: "api_key", provider: "mine", key: " " },
      fine: { type: "api_key", provider: "mine", key: planted },
    };
    await writeFile(join(home.root, "auth-profiles.json"), JSON.stringify({ version: 1, profiles }));
    const imported = await home.run(auth, "auth", "import", "auth-profiles.json");
    expect(imported.err).toContain("Imported: fine.");
    expect(imported.err).toMatch(/they are empty: empty\.\n.*no account login.*: login\.\n/);
  });

  it("CLI-14 asks what to import when nothing was said", async () => {
    const home = await createCommandHome();
    expect(await home.run(auth, "auth", "import")).toMatchObject({
      status: 2,
      err: expect.stringContaining("--env"),
    });
  });
});

describe("pincer auth, used wrongly", () => {
  it.each([
    [["order", "openai", "--clear", "home"], "--clear"],
    [["import", "file.json", "--env"], "--env cannot be combined"],
    [["import", "--env", "--from", "codex-cli"], "--env cannot be combined"],
    [["export", "-"], "not to the screen"],
    [["export", "typo/out.json"], "no directory"],
  ])("CLI-14 refuses %j", async (args, message) => {
    const home = await createCommandHome();
    const refused = await home.run(auth, "auth", ...args);
    expect(refused).toMatchObject({ status: 2, out: "", err: expect.stringContaining(message) });
    const told = await home.run(auth, "auth", ...args, "--json");
    expect(told.status).toBe(2);
    expect(told.json()).toMatchObject({
      error: { code: "usage/bad-argument", message: expect.stringContaining(message) },
    });
  });

  it.each([
    [["logout", "nosuch"], "secret/not-found"],
    [["use", "nosuch"], "secret/not-found"],
    [["test", "nosuch"], "secret/not-found"],
    [["order", "openai", "nosuch"], "secret/not-found"],
    [["status", "--provider", "nosuch"], "model/not-found"],
    [["status", "--agent", "nosuch"], "config/not-found"],
  ])("CLI-14 tells %j that there is no such thing, as a document", async (args, code) => {
    const home = await createCommandHome();
    const refused = await home.run(auth, "auth", ...args, "--json");
    expect(refused.status).toBe(1);
    const { error } = refused.json<{ error: Record<string, string> }>();
    expect(error).toMatchObject({ code, message: expect.any(String), hint: expect.any(String) });
  });
});

it("CLI-14 says that an export leaves out what belongs to one agent", async () => {
  const home = await createCommandHome();
  await logIn(home, "openai", "--agent", "main");
  expect((await home.run(auth, "auth", "export", "out.json")).err).toMatch(
    /^Wrote 0 credential.*\nSkipped.*: 1\./,
  );
});

it("CLI-14 speaks Chinese to Chinese users", async () => {
  const home = await createCommandHome();
  expect((await home.runInChinese(auth, "auth", "status")).out).toContain("还没有凭据");
});

it("keeps no key readable anywhere in the home", async () => {
  const home = await createCommandHome();
  await logIn(home, "openai");
  const files = await readdir(join(home.root, "home"), { withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "latin1")),
  );
  expect(texts.join("")).toContain("openai:default");
  expect(texts.join("")).not.toContain("planted");
});
