import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReceivedMessage } from "@pincer/sdk";
import { createRecordingChannel, createScriptedModel } from "@pincer/sdk/testing";
import { expect, it, onTestFinished } from "vitest";
import { connectTo } from "../client/testing/connect-to.ts";
import { createTestDevice } from "../gateway/doors/testing/door-stage.ts";
import { createGateway } from "./create-gateway.ts";
import { gatewayParts } from "./testing/gateway-parts.ts";

async function stage(gatewayConfig: object = {}) {
  const home = mkdtempSync(join(tmpdir(), "pincer-signin-"));
  const config = {
    owners: ["pigeon:42"],
    queue: { debounceMs: 0 },
    channels: { pigeon: { dmPolicy: "open", groupPolicy: "open", requireMention: false } },
    gateway: { port: 0, ...gatewayConfig },
  };
  writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
  const network = createRecordingChannel({ id: "pigeon" });
  const model = createScriptedModel([{ text: "I see." }, { text: "I see." }]);
  const gateway = await createGateway(
    gatewayParts(home),
    { isServed: true },
    { channels: [network.channel], models: [model] },
  );
  const client = await connectTo(gateway.socket);
  onTestFinished(async () => {
    client.close();
    await gateway.stop(1000);
    rmSync(home, { recursive: true });
  });
  let count = 0;
  const tell = async (text: string, peer: ReceivedMessage["peer"] = { kind: "user", id: "42" }) => {
    const before = network.ledger.length;
    await network.say({
      peer,
      sender: { id: peer.kind === "user" ? peer.id : "42" },
      message: { type: "text", id: `m${++count}`, text, attachments: [], mentioned: true },
      timestamp: Date.now(),
    });
    await gateway.idle();
    return network.ledger
      .slice(before)
      .map((row) => row.text)
      .join("\n");
  };
  const signIn = (code: string) =>
    fetch(`${gateway.address?.()}/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
  return { home, client, tell, signIn, gateway };
}

const codeIn = (text: string) => /#code=([\w-]+)/.exec(text)?.[1] ?? "";

it("UI-01 the owner asks in a chat, and the link lets one browser in, once, until it is ended there", async () => {
  const { tell, signIn, gateway } = await stage();
  const said = await tell("/signin");
  const code = codeIn(said);
  expect(said).toContain(`${gateway.address?.()}/#code=${code}`);
  const first = await signIn(code);
  expect([first.status, await first.json()]).toEqual([200, expect.objectContaining({ role: "owner" })]);
  expect((await signIn(code)).status).toBe(401);
  const cookie = first.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const me = async () => (await fetch(`${gateway.address?.()}/api/me`, { headers: { cookie } })).json();
  expect(await me()).toMatchObject({ signedIn: true, role: "owner" });
  const id = /x_\w+/.exec(await tell("/browsers"))?.[0] ?? "";
  expect(await tell(`/browsers ${id}`)).toContain("Signed out: 1");
  expect(await me()).toMatchObject({ signedIn: false });
});

it("UI-01 names the address by which the page is reached from elsewhere", async () => {
  const { tell } = await stage({ allowedHosts: ["desk.example"] });
  expect(await tell("/signin")).toContain("https://desk.example/#code=");
});

it("SEC-02 who is no owner any more is out of the browsers that they let in, and their codes let nobody in", async () => {
  const { client, tell, signIn, gateway } = await stage();
  const { code: claim } = await client.request("owner.claim", {});
  const bob = { kind: "user", id: "77" } as const;
  await tell(claim, bob);
  const first = await signIn(codeIn(await tell("/signin", bob)));
  expect(first.status).toBe(200);
  const cookie = first.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const later = codeIn(await tell("/signin", bob));
  await client.request("owner.remove", { channel: "pigeon", senderId: "77" });
  const me = await fetch(`${gateway.address?.()}/api/me`, { headers: { cookie } });
  expect(await me.json()).toMatchObject({ signedIn: false });
  expect((await signIn(later)).status).toBe(401);
});

it("SEC-02 an owner who is taken out of the config takes along what they let in", async () => {
  const { home, client, tell, signIn, gateway } = await stage();
  const first = await signIn(codeIn(await tell("/signin")));
  const cookie = first.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const ask = (path: string, headers: Record<string, string>, body?: object) =>
    fetch(`${gateway.address?.()}${path}`, {
      headers: { "content-type": "application/json", ...headers },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
  const params = { name: "ci", role: "owner", idempotencyKey: "one" };
  const made = await ask("/api/rpc/access.createToken", { cookie }, { params });
  const { token } = (await made.json()) as { token: string };
  const enter = async () => [
    (await ask("/api/usage", { cookie })).status,
    (await ask("/api/usage", { authorization: `Bearer ${token}` })).status,
  ];
  expect(await enter()).toEqual([200, 200]);
  const file = join(home, "config.json5");
  writeFileSync(file, readFileSync(file, "utf8").replace("pigeon:42", "pigeon:43"), { mode: 0o600 });
  await client.request("gateway.reload", {});
  expect(await enter()).toEqual([401, 401]);
});

it("SEC-02 the code is in no log, no transcript and no answer, and passed on it is hidden from the model", async () => {
  const { home, client, tell } = await stage();
  const said = await tell("/signin");
  const code = codeIn(said);
  expect(code.length).toBeGreaterThan(20);
  expect(await tell(`what is ${said}?`)).toBe("I see.");
  const { outbox } = (await client.request("outbox.list", { limit: 100 })) as { outbox?: unknown };
  expect(JSON.stringify(outbox ?? "")).not.toContain(code);
  const { sessions } = await client.request("sessions.list", { limit: 10 });
  const texts = await Promise.all(
    sessions.map(async ({ sessionId }: { sessionId: string }) =>
      JSON.stringify(
        await client.request("sessions.entries", { sessionKey: sessionId, after: 0, limit: 100 }),
      ),
    ),
  );
  expect(texts.join("")).toContain("[secret:sign-in code]");
  expect(texts.join("")).not.toContain(code);
  const files = readdirSync(home, { recursive: true, encoding: "utf8" })
    .map((name) => join(home, name))
    .filter((path) => statSync(path).isFile() && !/core\.db/.test(path));
  expect(files.filter((path) => readFileSync(path).includes(code))).toEqual([]);
});

it("SEC-02 in a group there is no code, not for the owner either", async () => {
  const { tell } = await stage();
  const said = await tell("/signin", { kind: "group", id: "g1" });
  expect(said).toContain("only for the owner in a direct chat");
  expect(codeIn(said)).toBe("");
});

it("UI-01 the owner is told of a browser that asks to be let in, until it is", async () => {
  const { client, gateway } = await stage();
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${gateway.address?.()}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: answer.status, value: (await answer.json()) as never };
  };
  const device = createTestDevice();
  const knock = async () => {
    const { value: asked } = await post("/api/sign-in/options", { for: "device" });
    const { challenge } = asked as { challenge: string };
    return post("/api/sign-in", { device: { ...device.prove(asked, { name: "Safari" }), challenge } });
  };
  const { status, value } = await knock();
  const { code } = value as { code: string };
  expect(status).toBe(202);
  await knock();
  await gateway.idle();
  const notices = async () => (await client.request("notices.list", {})).notices;
  expect(await notices()).toMatchObject([
    { kind: "device", text: { key: "access.device-asked", parameters: { name: "Safari", code } } },
  ]);
  await client.request("access.approve", { id: code, role: "viewer" });
  expect(await notices()).toEqual([]);
  expect(await knock()).toMatchObject({ status: 200, value: { role: "viewer" } });
});
