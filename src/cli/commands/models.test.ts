import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseConfig } from "../../config/parse-config.ts";
import { createCommandHome, type CommandHome } from "../testing/command-home.ts";
import { createFakeTerminal } from "../testing/fake-terminal.ts";
import * as models from "./models.ts";

/** Nobody looks for servers on the machine that the tests run on. */
async function openHome(config: { models?: object; agents?: object } = {}): Promise<CommandHome> {
  const home = await createCommandHome();
  const root = join(home.root, "home");
  await mkdir(root, { mode: 0o700 });
  const whole = { ...config, models: { discover: false, ...config.models } };
  await writeFile(join(root, "config.json5"), JSON.stringify(whole), { mode: 0o600 });
  return home;
}

async function configOf(home: CommandHome): Promise<unknown> {
  const parsed = parseConfig(await readFile(join(home.root, "home", "config.json5"), "utf8"));
  return parsed.type === "unparsable" ? undefined : parsed.value;
}

async function startServer(): Promise<string> {
  const server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === "Bearer sk-mine-123456";
    response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isAllowed ? { data: [{ id: "small" }, { id: "large", context_length: 9000 }] } : {}),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe("pincer models", () => {
  it("says what to do where nothing is connected", async () => {
    const home = await openHome();
    const listed = await home.run(models, "models", "list");
    expect(listed).toMatchObject({ status: 0, out: "" });
    expect(listed.err).toContain("pincer auth login");
    const status = await home.run(models, "models", "status");
    expect(status.err).toContain("pincer models set");
    expect((await home.runInChinese(models, "models", "status")).err).toContain("未配置模型");
  });

  it("lists the models of a server that the config names by its address, with and without a gateway", async () => {
    const home = await openHome({
      models: { providers: { mine: { baseUrl: "http://127.0.0.1:9/v1", models: [{ id: "small" }] } } },
    });
    const listed = await home.run(models, "models", "list");
    expect(listed.out).toMatch(/^mine\/small {2}33k {2}- {2}assumed {2}config\n$/);
    expect(listed.err).toContain("--all");
    const gateway = await home.startGateway();
    expect((await home.run(models, "models", "list")).out).toBe(listed.out);
    const { models: found } = (await home.run(models, "models", "list", "--json")).json<{
      models: unknown[];
    }>();
    expect(found).toMatchObject([{ reference: "mine/small", assumed: true, usable: true }]);
    expect(gateway.asked).toContain("models.list");
  });

  it("MODEL-01 lists a provider that is not connected when it is named, and says what serves another end", async () => {
    const home = await openHome();
    const listed = await home.run(models, "models", "list", "--provider", "anthropic", "--search", "haiku");
    expect(listed.out).toMatch(/^anthropic\/claude-haiku-4-5 .*\$\d.*images/);
    expect((await home.run(models, "models", "list", "--provider", "deepgram")).err).toContain("speech");
    expect((await home.run(models, "models", "list", "--provider", "nobody")).err).toContain(
      "No model matches",
    );
  });

  it("MODEL-06 sets the model and its fallbacks in the config, and warns where a credential is missing", async () => {
    const home = await openHome();
    const ran = await home.run(models, "models", "set", "anthropic", "--fallback", "groq", "openai/gpt-5.5");
    expect(ran.status).toBe(0);
    expect(ran.err).toContain("anthropic/claude-sonnet-5 answers");
    expect(ran.err).toContain("pincer auth login anthropic");
    expect(await configOf(home)).toMatchObject({
      agents: {
        defaults: {
          model: {
            primary: "anthropic/claude-sonnet-5",
            fallbacks: ["groq/llama-3.3-70b-versatile", "openai/gpt-5.5"],
          },
        },
      },
    });
    const status = await home.run(models, "models", "status");
    expect(status.out).toMatch(
      /primary +anthropic\/claude-sonnet-5 +no credential: pincer auth login anthropic/,
    );
    expect(status.err).toContain("None of them can answer at the moment");
  });

  it("sets it for one agent, however the config spells its choice", async () => {
    const home = await openHome({
      agents: {
        list: [
          { id: "one", model: "stub/stub" },
          { id: "two", model: { primary: "stub/stub" } },
          { id: "three" },
        ],
      },
    });
    for (const id of ["one", "two", "three"]) {
      expect(await home.run(models, "models", "set", "groq", "--agent", id)).toMatchObject({ status: 0 });
    }
    await home.run(models, "models", "set", "groq", "--agent", "one", "--fallback", "stub");
    expect(await configOf(home)).toMatchObject({
      agents: {
        list: [
          { id: "one", model: { primary: "groq/llama-3.3-70b-versatile", fallbacks: ["stub/stub"] } },
          { id: "two", model: { primary: "groq/llama-3.3-70b-versatile" } },
          { id: "three", model: "groq/llama-3.3-70b-versatile" },
        ],
      },
    });
    const status = (await home.run(models, "models", "status", "--agent", "one", "--json")).json();
    expect(status).toMatchObject({ agentId: "one", answers: "stub/stub" });
    const nobody = await home.run(models, "models", "set", "groq", "--agent", "nobody");
    expect(nobody).toMatchObject({ status: 1 });
    expect(nobody.err).toContain("no agent nobody");
  });

  it("refuses a model that there is not, with what may have been meant, unless it is wanted all the same", async () => {
    const home = await openHome();
    const refused = await home.run(models, "models", "set", "anthropic/claude-sonet-5");
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.err).toContain("anthropic/claude-sonnet-5");
    expect(refused.err).toContain("--force");
    expect(await configOf(home)).not.toHaveProperty("agents");
    expect(await home.run(models, "models", "set", "anthropic/claude-next", "--force")).toMatchObject({
      status: 0,
    });
    expect((await home.run(models, "models", "status")).out).toContain("anthropic/claude-next");
  });

  it("MODEL-05 refuses a model that the config does not allow", async () => {
    const home = await openHome({ models: { allowedProviders: ["groq"] } });
    const refused = await home.run(models, "models", "set", "openai", "--json");
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.json()).toMatchObject({ error: { code: "model/not-allowed" } });
    expect((await home.run(models, "models", "status")).out).toContain("Only these providers: groq");
  });

  it("asks a provider for its models with its key, and says how that went", async () => {
    const baseUrl = await startServer();
    const home = await openHome({ models: { providers: { mine: { baseUrl, apiKey: "sk-mine-123456" } } } });
    const ran = await home.run(models, "models", "refresh");
    expect(ran).toMatchObject({ status: 0, out: "mine: 2 models, 2 of them new\n" });
    expect((await home.run(models, "models", "list")).out).toMatch(
      /^mine\/large {2}9k .*refreshed\nmine\/small/,
    );
    const terminal = createFakeTerminal({ errIsTerminal: true });
    await home.runAt(terminal, models, "models", "refresh", "mine", "--json");
    expect(JSON.parse(terminal.written())).toMatchObject({ providers: [{ ok: true, added: [] }] });
    expect(terminal.said()).toContain("asking mine (1 of 1)");
  });

  it("says why a provider could not be asked", async () => {
    const baseUrl = await startServer();
    const home = await openHome({ models: { providers: { mine: { baseUrl } } } });
    const ran = await home.run(models, "models", "refresh", "mine");
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toContain("HTTP 401");
    expect((await home.run(models, "models", "refresh", "nobody")).err).toContain("unknown provider");
    const bare = await openHome();
    expect(await bare.run(models, "models", "refresh")).toMatchObject({ status: 2 });
  });

  it("says that there is nothing to try out without a model", async () => {
    const home = await openHome();
    const ran = await home.run(models, "models", "test");
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.err).toContain("pincer models set");
  });
});
