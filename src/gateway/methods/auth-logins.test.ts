import { createHandClock } from "@pincer/sdk/testing";
import type { LoginPromptView } from "@pincer/sdk";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createRedactor } from "../../infra/redactor.ts";
import type { LoginInteraction } from "../../models/credentials/oauth-flows.ts";
import type { Caller } from "../../policy/caller.ts";
import { createAuthLogins } from "./auth-logins.ts";
import type { StoredCredentials, NewCredential } from "./stored-credentials.ts";

const caller = (id: string): Caller => ({
  id,
  name: id,
  role: "owner",
  way: "token",
  tenantId: "t",
  scope: { type: "tenant" },
});

function stage(login: (interaction: LoginInteraction) => Promise<Record<string, unknown>>) {
  const clock = createHandClock();
  const stored: NewCredential[] = [];
  const told: Array<{ event: string; payload: unknown }> = [];
  const leaving = new AbortController();
  const credentials: StoredCredentials = {
    providers: async () => [],
    of: async (provider) => ({ provider, sources: [], order: [] }),
    requireFree: async () => {},
    put: async (given) => void stored.push(given),
  };
  const api = createAuthLogins(
    {
      logins: {
        providers: ["acme"],
        has: (provider) => provider === "acme",
        login: (_provider, interaction) => login(interaction),
      },
      redactor: createRedactor(),
      environment: {},
      clock,
      requireAgent: async () => {},
    },
    credentials,
  );
  const until = {
    signal: leaving.signal,
    caller: caller("one"),
    emit: (event: string, payload: unknown) => void told.push({ event, payload }),
  };
  const prompt = () =>
    vi.waitFor(() => {
      const found = told.findLast(({ event }) => event === "auth.login_prompt")?.payload as
        | LoginPromptView
        | undefined;
      if (!found) throw new Error("nothing is asked yet");
      return found;
    }, 20_000);
  return { api, until, stored, told, clock, leaving, prompt };
}

it("CLI-14 leads through a login: says what to open, asks, and stores what comes of it", async () => {
  const { api, until, stored, told, prompt } = stage(async ({ notify, prompt: ask }) => {
    notify({ type: "auth_url", url: "https://acme.example/login" });
    notify({ type: "device_code", userCode: "AB-12", verificationUri: "https://acme.example/device" });
    notify({ type: "info", message: "Nearly there", links: [{ url: "https://acme.example/help" }] });
    return { access: await ask({ type: "manual_code", message: "The code?" }), refresh: "r" };
  });
  const login = api.login({ provider: "acme" }, until);
  const { loginId, prompt: number } = await prompt();
  expect(told).toMatchObject([
    { payload: { type: "begun" } },
    { payload: { type: "open", url: "https://acme.example/login", instructions: null } },
    { payload: { type: "code", code: "AB-12", url: "https://acme.example/device" } },
    { payload: { type: "told", message: "Nearly there", links: [{ url: "https://acme.example/help" }] } },
    { payload: { type: "text", message: "The code?" } },
  ]);
  expect(await api.answer({ loginId, prompt: number, text: "the-code" }, until)).toEqual({ taken: true });
  expect(await login).toEqual({ stored: { id: "acme:login", agentId: null, provider: "acme" } });
  expect(stored).toMatchObject([{ id: "acme:login", type: "oauth", secret: { access: "the-code" } }]);
  await expect(api.answer({ loginId, prompt: number, text: "again" }, until)).rejects.toMatchObject({
    code: "usage/not-found",
  });
});

it("accepts an answer only from the caller that started the login", async () => {
  const { api, until, prompt } = stage(async ({ prompt: ask }) => ({
    access: await ask({ type: "secret", message: "Key?" }),
  }));
  const login = api.login({ provider: "acme" }, until).catch((error: unknown) => error);
  const { loginId, prompt: number } = await prompt();
  const other = { ...until, caller: caller("two") };
  await expect(api.answer({ loginId, prompt: number, text: "x" }, other)).rejects.toMatchObject({
    code: "usage/not-found",
  });
  expect(await api.leave({ loginId }, other)).toEqual({ left: false });
  expect(await api.leave({ loginId }, until)).toEqual({ left: true });
  expect(await login).toMatchObject({ code: "model/failed" });
  expect(await api.leave({ loginId }, until)).toEqual({ left: false });
});

it("ends when its caller leaves or takes too long, and stores nothing", async () => {
  const waits = async ({ prompt: ask }: LoginInteraction) => ({
    access: await ask({ type: "select", message: "Which?", options: [{ id: "a", label: "A" }] }),
  });
  const { api, until, stored, told, clock, prompt } = stage(waits);
  const login = api.login({ provider: "acme" }, until).catch((error: unknown) => error);
  expect(await prompt()).toMatchObject({ type: "choice", options: [{ id: "a", label: "A" }] });
  await clock.advance(15 * 60_000);
  expect(await login).toMatchObject({ code: "model/failed" });
  expect(told.at(-1)).toMatchObject({ payload: { type: "over" } });
  expect(stored).toEqual([]);
});

it("leads nowhere where a provider has no login, and lets no more than eight be under way", async () => {
  const { api, until, leaving } = stage(async ({ prompt: ask }) => ({
    access: await ask({ type: "text", message: "?" }),
  }));
  await expect(api.login({ provider: "other" }, until)).rejects.toMatchObject({
    code: "usage/bad-argument",
  });
  const under = Array.from({ length: 8 }, (_, index) =>
    api.login({ provider: "acme", id: `acme:${index}` }, until).catch(() => "ended"),
  );
  await expect(api.login({ provider: "acme", id: "acme:more" }, until)).rejects.toMatchObject({
    code: "gateway/busy",
  });
  leaving.abort(new Error("gone"));
  expect(new Set(await Promise.all(under))).toEqual(new Set(["ended"]));
});

it("tells which logins there are and which programs have one that can be taken over", async () => {
  const home = await mkdtemp(join(tmpdir(), "pincer-logins-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await mkdir(join(home, ".claude"));
  await writeFile(join(home, ".claude/.credentials.json"), "{}");
  const api = createAuthLogins(
    {
      logins: { providers: ["b", "a"], has: () => true, login: async () => ({}) },
      redactor: createRedactor(),
      environment: { HOME: home },
      clock: createHandClock(),
      requireAgent: async () => {},
    },
    {
      providers: async () => [],
      of: async () => Promise.reject(),
      requireFree: async () => {},
      put: async () => {},
    },
  );
  expect(await api.ways({})).toEqual({
    logins: ["a", "b"],
    programs: [
      { from: "claude-cli", file: join(home, ".claude/.credentials.json"), isThere: true },
      { from: "codex-cli", file: join(home, ".codex/auth.json"), isThere: false },
    ],
  });
});

it("says in its own words that the port of a login is taken, and what to do", async () => {
  const { api, until } = stage(async () => {
    throw Object.assign(new Error("listen EADDRINUSE: address already in use"), { code: "EADDRINUSE" });
  });
  await expect(api.login({ provider: "acme" }, until)).rejects.toMatchObject({
    code: "model/failed",
    message: expect.stringContaining("another login"),
    hint: "Finish or cancel the other login, then try again.",
  });
});
