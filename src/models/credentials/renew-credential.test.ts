import { expect, it } from "vitest";
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
