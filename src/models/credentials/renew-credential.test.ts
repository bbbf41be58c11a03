import { describe, expect, it } from "vitest";
import type { Credentials } from "./credentials.ts";
import { createRenewer } from "./renew-credential.ts";
import { createCredentialStage, type CredentialStage } from "./testing/credential-stage.ts";

const wish = { provider: "openai-codex", agentId: "main" };
const never = new AbortController().signal;

async function stageWithLogin(expiresIn: number): Promise<CredentialStage> {
  const stage = createCredentialStage();
  const expires = stage.clock.now() + expiresIn;
  const secret = { refresh: "refresh-0", access: "access-0", expires, accountId: "acc" };
  await stage.put("me", "openai-codex", secret, { type: "oauth" });
  return stage;
}

async function ask(credentials: Credentials, signal = never) {
  const [candidate] = await credentials.candidates(wish);
  if (!candidate) throw new Error("no candidate");
  const outcome = await credentials.authOf(candidate, wish, signal);
  return outcome.ok ? outcome.auth.apiKey : outcome.failure;
}

/** Those who wait for a lease sleep between their looks. */
async function turn(stage: CredentialStage, until: Promise<unknown>): Promise<void> {
  const course = { isOver: false };
  until.finally(() => (course.isOver = true)).catch(() => {});
  while (!course.isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await stage.clock.advance(50);
  }
}

it("AUTH-13 uses an access token as long as it holds, and renews it a minute before its end", async () => {
  const stage = await stageWithLogin(60_001);
  const credentials = stage.open();
  expect(await ask(credentials)).toBe("access-0");
  expect(stage.logins.exchanged).toEqual([]);
  await stage.clock.advance(1);
  expect(await ask(credentials)).toBe("access-1");
  expect(await ask(credentials)).toBe("access-1");
  expect(stage.logins.exchanged).toEqual(["refresh-0"]);
  expect(stage.redactor.text("access-1 refresh-1")).toBe("[secret:me] [secret:me]");
});

it("AUTH-13 exchanges a refresh token once, however many ask in however many processes", async () => {
  const stage = await stageWithLogin(-1);
  const processes = [stage.open("one"), stage.open("two")];
  const release = stage.logins.hold();
  const asked = Promise.all(
    Array.from({ length: 50 }, (_, index) => ask(processes[index % 2] as Credentials)),
  );
  for (let look = 0; look < 5; look++) await stage.clock.advance(50);
  release();
  await turn(stage, asked);
  expect(new Set(await asked)).toEqual(new Set(["access-1"]));
  expect(stage.logins.exchanged).toEqual(["refresh-0"]);
  await stage.clock.advance(3_600_000);
  const later = Promise.all(processes.map((credentials) => ask(credentials)));
  await turn(stage, later);
  expect(await later).toEqual(["access-2", "access-2"]);
  expect(stage.logins.exchanged).toEqual(["refresh-0", "refresh-1"]);
});

it("AUTH-13 goes on with the exchange when the one who asked for it has gone", async () => {
  const stage = await stageWithLogin(-1);
  const credentials = stage.open();
  const release = stage.logins.hold();
  const gone = new AbortController();
  const first = ask(credentials, gone.signal);
  await stage.clock.advance(1);
  const second = ask(credentials);
  await stage.clock.advance(1);
  gone.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  release();
  expect(await second).toBe("access-1");
  expect(stage.logins.exchanged).toEqual(["refresh-0"]);
});

it("AUTH-13 says to log in again when the provider refuses, and does not ask it again with the same token", async () => {
  const stage = await stageWithLogin(-1);
  await stage.put("me", "openai-codex", { refresh: "stolen", access: "a", expires: 1 }, { type: "oauth" });
  const credentials = stage.open();
  const refused = {
    code: "auth",
    message: expect.stringContaining("pincer auth login openai-codex --oauth --name me"),
  };
  expect(await ask(credentials)).toEqual(refused);
  expect(await ask(credentials)).toEqual(refused);
  expect(stage.logins.exchanged).toEqual(["stolen"]);
  await stage.clock.advance(1);
  await stage.put("me", "openai-codex", { refresh: "refresh-0", access: "", expires: 1 }, { type: "oauth" });
  expect(await ask(credentials)).toBe("access-1");
});

it("AUTH-13 holds nothing against a login that could not be renewed because nobody answered", async () => {
  const stage = await stageWithLogin(-1);
  stage.logins.isDown = true;
  const credentials = stage.open();
  const outcome = await ask(credentials);
  expect(outcome).toMatchObject({ code: "unavailable" });
  const [candidate] = await credentials.candidates(wish);
  if (candidate) await credentials.failed(candidate, { code: "unavailable", message: "" }, { isOnly: false });
  expect((await credentials.candidates(wish))[0]).not.toHaveProperty("cooldownUntil");
  stage.logins.isDown = false;
  expect(await ask(credentials)).toBe("access-1");
});

it("AUTH-13 writes nothing over a login that was made anew during the exchange", async () => {
  const stage = await stageWithLogin(-1);
  const credentials = stage.open();
  const release = stage.logins.hold();
  const asked = ask(credentials);
  while (stage.logins.exchanged.length === 0) await stage.clock.advance(1);
  const expires = stage.clock.now() + 3_600_000;
  await stage.put("me", "openai-codex", { refresh: "new", access: "access-new", expires }, { type: "oauth" });
  release();
  expect(await asked).toBe("access-new");
  expect(await ask(credentials)).toBe("access-new");
});

it("AUTH-13 lets those in one process share one exchange, without waiting for one another's lease", async () => {
  const stage = await stageWithLogin(-1);
  const store = stage.stores.tenant("t_default").credentials;
  const renewer = createRenewer({ ...stage, store, oauth: stage.logins, tenantId: "t_default" });
  const record = await store.get({ agentId: null, id: "me" });
  if (!record) throw new Error("no login");
  const renewals = await Promise.all(Array.from({ length: 20 }, () => renewer.fresh(record, never)));
  for (const renewal of renewals)
    expect(renewal).toMatchObject({ type: "fresh", secret: { access: "access-1", accountId: "acc" } });
  expect(stage.logins.exchanged).toEqual(["refresh-0"]);
});

describe("a login whose access token was refused before its end", () => {
  const anHour = 3_600_000;

  async function refusedOnce(credentials: Credentials) {
    const [candidate] = await credentials.candidates(wish);
    if (!candidate) throw new Error("no candidate");
    const key = async () => {
      const outcome = await credentials.authOf(candidate, wish, never);
      return outcome.ok ? outcome.auth.apiKey : outcome.failure;
    };
    await key();
    return { key, renew: (signal = never) => credentials.renew(candidate, wish, signal) };
  }

  it("AUTH-13 is exchanged once for it, and not again within a minute", async () => {
    const stage = await stageWithLogin(anHour);
    await stage.clock.advance(1);
    const { key, renew } = await refusedOnce(stage.open());
    expect(await renew()).toBe(true);
    expect(await key()).toBe("access-1");
    expect(await renew()).toBe(false);
    await stage.clock.advance(59_999);
    expect(await renew()).toBe(false);
    expect(stage.logins.exchanged).toEqual(["refresh-0"]);
    await stage.clock.advance(1);
    expect(await renew()).toBe(true);
    expect(await key()).toBe("access-2");
  });

  it("AUTH-13 is exchanged once for all who were refused with it, in however many processes", async () => {
    const stage = await stageWithLogin(anHour);
    const askers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refusedOnce(stage.open(`process-${index % 4}`))),
    );
    const renewals = Promise.all(askers.map(({ renew }) => renew()));
    await turn(stage, renewals);
    expect(new Set(await renewals)).toEqual(new Set([true]));
    expect(stage.logins.exchanged).toEqual(["refresh-0"]);
    expect(await askers[0]?.key()).toBe("access-1");
  });

  it("AUTH-13 needs no exchange when its person has logged in again meanwhile", async () => {
    const stage = await stageWithLogin(anHour);
    const { key, renew } = await refusedOnce(stage.open());
    await stage.clock.advance(1);
    const secret = { refresh: "new", access: "access-new", expires: stage.clock.now() + anHour };
    await stage.put("me", "openai-codex", secret, { type: "oauth" });
    expect(await renew()).toBe(true);
    expect(await key()).toBe("access-new");
    expect(stage.logins.exchanged).toEqual([]);
  });

  it("AUTH-13 stays as it is when the provider refuses, which is asked once, or does not answer, or is not waited for", async () => {
    const stage = await stageWithLogin(anHour);
    const { key, renew } = await refusedOnce(stage.open());
    stage.logins.isDown = true;
    expect(await renew()).toBe(false);
    stage.logins.isDown = false;
    await expect(renew(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    await stage.clock.advance(1);
    const secret = { refresh: "stolen", access: "access-0", expires: stage.clock.now() + anHour };
    await stage.put("me", "openai-codex", secret, { type: "oauth" });
    expect(await key()).toBe("access-0");
    await stage.clock.advance(60_000);
    expect([await renew(), await renew()]).toEqual([false, false]);
    expect(stage.logins.exchanged).toEqual(["refresh-0", "stolen"]);
  });

  it("AUTH-13 is left alone where there is nothing to exchange, or it is no login", async () => {
    const stage = createCredentialStage();
    const expires = stage.clock.now() + anHour;
    await stage.put("me", "openai-codex", { refresh: "", access: "a", expires }, { type: "oauth" });
    const { renew } = await refusedOnce(stage.open());
    expect(await renew()).toBe(false);
    await stage.put("me", "openai-codex", { key: "sk-0" });
    expect(await renew()).toBe(false);
    await stage.stores.tenant("t_default").credentials.remove({ agentId: null, id: "me" });
    expect(await renew()).toBe(false);
    expect(stage.logins.exchanged).toEqual([]);
  });

  it("AUTH-13 is not taken for renewed by an exchange that found it to hold", async () => {
    const stage = await stageWithLogin(anHour);
    const store = stage.stores.tenant("t_default").credentials;
    const renewer = createRenewer({ ...stage, store, oauth: stage.logins, tenantId: "t_default" });
    const record = await store.get({ agentId: null, id: "me" });
    if (!record) throw new Error("no login");
    // The first caller had an old row.
    const asked = renewer.fresh({ ...record, expiresAt: "2000-01-01T00:00:00.000Z" }, never);
    expect(await renewer.replace(record, record.version, never)).toBe(true);
    expect(await asked).toMatchObject({ type: "fresh", secret: { access: "access-0" } });
    expect(stage.logins.exchanged).toEqual(["refresh-0"]);
  });
});
