import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { takesOnlyLogin } from "../credentials/oauth-flows.ts";
import { createPiOAuth } from "./oauth.ts";

const signal = new AbortController().signal;
const interaction = { signal, prompt: async () => "", notify: () => {} };

const flow = (
  refresh: () =>
    | Promise<never>
    | Promise<{ type: "oauth"; refresh: string; access: string; expires: number }>,
) =>
  createPiOAuth({
    fake: async () => ({
      name: "Fake",
      login: async () => ({ type: "oauth", refresh: "r0", access: "a0", expires: 5, accountId: "acc" }),
      refresh,
      toAuth: async ({ access }) => ({
        apiKey: access,
        baseUrl: "https://own",
        headers: { A: "1", B: null },
      }),
    }),
  });

it("AUTH-14 AUTH-15 has the logins of pi, each with all that is asked of a login", async () => {
  const oauth = createPiOAuth();
  expect(oauth.providers).toEqual([
    "anthropic",
    "github-copilot",
    "kimi-coding",
    "meta",
    "openai-codex",
    "openrouter",
    "xai",
  ]);
  for (const provider of oauth.providers) {
    const secret = { refresh: "r", access: "planted-access", expires: 1 };
    expect(JSON.stringify([provider, await oauth.toAuth(provider, secret)])).toContain("planted-access");
  }
});

it("AUTH-14 says which logins there are where there is none", async () => {
  const oauth = createPiOAuth();
  expect(oauth.has("google-antigravity")).toBe(false);
  await expect(oauth.login("google-antigravity", interaction)).rejects.toMatchObject({
    code: "usage/bad-argument",
    hint: expect.stringContaining("github-copilot"),
  });
});

it("AUTH-15 gives the secret part of a login as it came, and what goes with a request", async () => {
  const oauth = flow(async () => ({ type: "oauth", refresh: "r1", access: "a1", expires: 9 }));
  const secret = await oauth.login("fake", interaction);
  expect(secret).toEqual({ refresh: "r0", access: "a0", expires: 5, accountId: "acc" });
  expect(await oauth.refresh("fake", secret, signal)).toEqual({
    type: "renewed",
    secret: { refresh: "r1", access: "a1", expires: 9 },
  });
  expect(await oauth.toAuth("fake", secret)).toEqual({
    apiKey: "a0",
    baseUrl: "https://own",
    headers: { A: "1" },
  });
});

it("AUTH-15 waits for the port that the browser comes back to, and gives up when it stays taken", async () => {
  const clock = createHandClock();
  let takenFor = 3;
  const taken = () => Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });
  const login = async () => {
    if (takenFor-- > 0) throw taken();
    return { type: "oauth" as const, refresh: "r", access: "a", expires: 1 };
  };
  const oauth = createPiOAuth(
    { fake: async () => ({ name: "Fake", login, refresh: login, toAuth: async () => ({}) }) },
    clock,
  );
  const second = oauth.login("fake", interaction);
  for (let at = 0; at < 3; at++) {
    await expect.poll(() => clock.sleeping()).toBe(1);
    await clock.advance(500);
  }
  expect(await second).toEqual({ refresh: "r", access: "a", expires: 1 });

  takenFor = 1000;
  const third = oauth.login("fake", interaction).catch((error: unknown) => error);
  for (let at = 0; at < 19; at++) {
    await expect.poll(() => clock.sleeping()).toBe(1);
    await clock.advance(500);
  }
  expect(await third).toMatchObject({ code: "EADDRINUSE" });
});

it.each([
  [
    "Anthropic token refresh request failed. url=x; details=HTTP request failed. status=400; body=invalid_grant",
    "refused",
  ],
  ["OpenAI Codex token refresh failed (401): {}", "refused"],
  ["Kimi Code token refresh unauthorized (status 401)", "refused"],
  ["xAI OAuth token refresh failed (HTTP 400): invalid_grant", "refused"],
  ["403 Forbidden: no", "refused"],
  ["Meta session expired (status 401). Run `/login meta` to sign in again.", "refused"],
  ["OpenAI Codex token refresh failed (503): upstream said 401", "unavailable"],
  ["OpenAI Codex token refresh failed (429): later", "unavailable"],
  ["OpenAI Codex token refresh error: fetch failed", "unavailable"],
  ["getaddrinfo ENOTFOUND auth.example", "unavailable"],
])("AUTH-13 tells a refusal from silence: %s", async (message, type) => {
  const oauth = flow(() => Promise.reject(new Error(message)));
  expect(await oauth.refresh("fake", { refresh: "r" }, signal)).toEqual({ type });
});

it("AUTH-15 knows which of them take no keys", async () => {
  const { openaiCodexProvider } = await import("@earendil-works/pi-ai/providers/openai-codex");
  const { githubCopilotProvider } = await import("@earendil-works/pi-ai/providers/github-copilot");
  const { anthropicProvider } = await import("@earendil-works/pi-ai/providers/anthropic");
  for (const provider of [openaiCodexProvider(), githubCopilotProvider(), anthropicProvider()])
    expect([provider.id, takesOnlyLogin(provider.id)]).toEqual([
      provider.id,
      provider.auth.apiKey === undefined,
    ]);
});
