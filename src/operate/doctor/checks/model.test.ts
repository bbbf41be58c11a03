import { rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sealName, sealSecret } from "../../../storage/credentials/credential-secret.ts";
import { createTestHome, findingsOf, type TestHome } from "../testing/test-home.ts";
import { checkModel } from "./model.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it("is content with no model and with the one that there is", async () => {
  expect(await findingsOf(checkModel(home.examined))).toMatchObject([expect.stringMatching(/^ok /)]);
  await home.write("config.json5", "{ agents: { defaults: { model: { primary: 'stub' } } } }");
  expect(await findingsOf(checkModel(home.examined))).toMatchObject([expect.stringMatching(/^ok /)]);
});

it("warns of every model that nobody knows or nobody has a credential for, and says what to do", async () => {
  await home.write(
    "config.json5",
    `{ agents: { defaults: { model: { primary: "mock/one" } }, list: [{ id: "main" }, { id: "other", model: "anthropic/claude-opus-5" }] } }`,
  );
  const findings = await checkModel(home.examined).check();
  expect(findings).toMatchObject([
    { level: "warning", message: expect.stringContaining("names mock/one") },
    { level: "warning", place: { key: expect.stringMatching(/^agents\.list\[1\]\.model/) } },
  ]);
  expect(findings[0]?.next).toContain("`pincer models set`");
  expect(findings[1]?.next).toContain("`pincer auth login anthropic`");
});

it("says that every credential of a model was refused, or is on cooldown", async () => {
  await home.write("config.json5", `{ agents: { defaults: { model: { primary: "openai/gpt-5.5" } } } }`);
  const { tenant } = await home.examined.makeDatabase();
  const place = { provider: "openai", type: "api_key", label: null, expiresAt: null } as const;
  const { box } = home.examined.secrets;
  for (const id of ["a", "b"]) {
    const sealed = await sealSecret(box, sealName("t_default", { agentId: null, id }), { key: "sk-1" });
    await tenant.credentials.put({ ...place, id, agentId: null, source: "login", sealed });
  }
  const fail = (id: string, lastError: string) =>
    tenant.credentials.noteUse({ id, agentId: null, provider: "openai" }, (use) => ({ ...use, lastError }));
  await fail("a", "Incorrect API key");
  expect(await findingsOf(checkModel(home.examined))).toMatchObject([expect.stringMatching(/^ok /)]);
  await fail("b", "no credit left");
  const [finding] = await checkModel(home.examined).check();
  expect(finding).toMatchObject({
    level: "warning",
    message: expect.stringContaining("Incorrect API key; no credit left"),
    next: expect.stringContaining("pincer auth test"),
  });
  await rm(home.path("secret.key"));
  expect((await checkModel(home.examined).check())[0]?.message).toContain("key of the secrets is missing");
});

it("says that nobody speaks the format of a provider, and which are spoken", async () => {
  const providers = `{ mine: { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completion" } }`;
  await home.write("config.json5", `{ models: { providers: ${providers} } }`);
  expect(await checkModel(home.examined).check()).toMatchObject([
    {
      level: "problem",
      message: expect.stringContaining("openai-completion"),
      next: expect.stringContaining("openai-completions"),
      place: { key: "models.providers.mine.api" },
    },
  ]);
});

it("is content with a server of one's own, and with a key in the config", async () => {
  const providers = `{ mine: { baseUrl: "http://127.0.0.1:9/v1" }, openai: { apiKey: "sk-not-a-real-one" } }`;
  const model = `{ primary: "mine/small", fallbacks: ["openai/gpt-5"] }`;
  await home.write(
    "config.json5",
    `{ models: { providers: ${providers} }, agents: { defaults: { model: ${model} } } }`,
  );
  expect(await findingsOf(checkModel(home.examined))).toMatchObject([expect.stringMatching(/^ok /)]);
});
