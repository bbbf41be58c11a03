import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import { HttpFailure, type HttpCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { createDoorStage, createTestDevice, owner, type DoorStage } from "./testing/door-stage.ts";

interface Answer {
  status: number;
  value: unknown;
  headers: OutgoingHttpHeaders;
}

function open(stage: DoorStage) {
  const gateway = defaultConfig.gateway;
  const routes = signInRoutes({ doors: stage.doors, config: () => ({ gateway }) });
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: IncomingHttpHeaders = {},
  ): Promise<Answer> => {
    const route = routes.find((each) => each.method === method && each.path === path);
    if (!route) throw new Error("no such route");
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const call: HttpCall = {
      method,
      path,
      parameters: {},
      query: new URLSearchParams(),
      headers: { "content-length": String(JSON.stringify(body ?? "").length), ...headers },
      address: "127.0.0.1",
      signal: new AbortController().signal,
      body: async () => Buffer.from(JSON.stringify(body)),
      pieces: async function* () {
        yield Buffer.from(JSON.stringify(body));
      },
      json: async () => body,
    };
    const reply = {
      json: (status: number, value: unknown, sent: OutgoingHttpHeaders = {}) =>
        resolve({ status, value, headers: sent }),
    } as HttpReply;
    try {
      await (route as Extract<HttpRoute, { access: { type: "open" } | { type: "own" } }>).handle(call, reply);
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      return { status: error.status, value: error.code, headers: error.headers };
    }
    return promise;
  };
}

const makeCode = async (stage: DoorStage) =>
  (await stage.doors.makeCode({ role: "owner", scope: { type: "tenant" }, by: owner })).code;
const cookieOf = ({ headers }: Answer) =>
  /^pincer_session=([\w-]+);/.exec(String(headers["set-cookie"]))?.[1] ?? "";

it("GW-11 a code becomes a cookie, by which the page knows who it is", async () => {
  const stage = createDoorStage();
  const ask = open(stage);
  expect(await ask("GET", "/api/me")).toMatchObject({
    status: 200,
    value: { signedIn: false, asks: "token" },
  });
  const signedIn = await ask("POST", "/api/sign-in", { code: await makeCode(stage) });
  expect(signedIn).toMatchObject({ status: 200, value: { role: "owner" } });
  expect(signedIn.headers["set-cookie"]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/);
  const cookie = `pincer_session=${cookieOf(signedIn)}`;
  const me = await ask("GET", "/api/me", undefined, { cookie });
  expect(me).toMatchObject({ value: { signedIn: true, role: "owner", way: "code" } });
  expect(me.headers["set-cookie"]).toContain(cookie);
  expect(JSON.stringify([signedIn.value, me.value])).not.toContain(cookieOf(signedIn));
  const out = await ask("POST", "/api/sign-out", {}, { cookie });
  expect(out.headers["set-cookie"]).toContain("pincer_session=; ");
  const gone = await ask("GET", "/api/me", undefined, { cookie });
  expect(gone).toMatchObject({ value: { signedIn: false } });
  expect(gone.headers["set-cookie"]).toContain("Max-Age=0");
});

it("GW-11 the home's token signs in, and what came by https stays there", async () => {
  const stage = createDoorStage();
  const answer = await open(stage)(
    "POST",
    "/api/sign-in",
    { token: stage.home.token },
    { "x-forwarded-proto": "https" },
  );
  expect(answer.headers["set-cookie"]).toMatch(/; Secure$/);
});

it("what a token says about itself puts no cookie into the browser", async () => {
  const stage = createDoorStage();
  const me = await open(stage)("GET", "/api/me", undefined, { authorization: `Bearer ${stage.home.token}` });
  expect(me).toMatchObject({ value: { signedIn: true, id: "owner" }, headers: {} });
});

it("GW-11 what is wrong is refused without a cookie, and too many of them are told to wait", async () => {
  const stage = createDoorStage();
  stage.setTries(2);
  const ask = open(stage);
  for (const body of [{ code: "x".repeat(32) }, { token: "wrong" }]) {
    expect(await ask("POST", "/api/sign-in", body)).toEqual({
      status: 401,
      value: "UNAUTHORIZED",
      headers: {},
    });
  }
  expect(await ask("POST", "/api/sign-in", { code: "x".repeat(32) })).toMatchObject({
    status: 429,
    headers: { "retry-after": "30" },
  });
});

it.each([
  {},
  null,
  [],
  "code",
  { code: 7 },
  { code: "" },
  { code: "x".repeat(1025) },
  { code: "x", token: "y" },
  { code: "x", admin: true },
  { code: { toString: "x" } },
])("takes no other body: %j", async (body) => {
  expect(await open(createDoorStage())("POST", "/api/sign-in", body)).toMatchObject({ status: 400 });
});

it.each([
  [{ "sec-fetch-site": "cross-site" }, 403],
  [{ "sec-fetch-site": "same-site" }, 403],
  [{ "content-length": "8193" }, 413],
  [{ "transfer-encoding": "chunked" }, 413],
])("GW-11 signs nobody in or out with %j", async (headers, status) => {
  const stage = createDoorStage();
  const ask = open(stage);
  const code = await makeCode(stage);
  expect(await ask("POST", "/api/sign-in", { code }, headers)).toMatchObject({ status });
  const signedIn = await ask("POST", "/api/sign-in", { code });
  const cookie = `pincer_session=${cookieOf(signedIn)}`;
  expect(await ask("POST", "/api/sign-out", {}, { ...headers, cookie })).toMatchObject({ status });
  expect(await ask("GET", "/api/me", undefined, { cookie })).toMatchObject({ value: { signedIn: true } });
});

it("UI-01 tells what a page can sign in by, and hands out what is to be signed", async () => {
  const stage = createDoorStage();
  const ask = open(stage);
  const local = { host: "localhost:18650", origin: "http://localhost:18650" };
  expect(await ask("GET", "/api/me", undefined, local)).toMatchObject({
    value: { signedIn: false, passkeys: { here: true, registered: false } },
  });
  const away = { host: "evil.example", origin: "https://evil.example" };
  expect(await ask("GET", "/api/me", undefined, away)).toMatchObject({
    value: { passkeys: { here: false } },
  });
  expect(await ask("POST", "/api/sign-in/options", { for: "passkey" }, local)).toMatchObject({
    status: 200,
    value: { options: { rpId: "localhost" } },
  });
  expect(await ask("POST", "/api/sign-in/options", { for: "passkey" }, away)).toMatchObject({ status: 403 });
  expect(await ask("POST", "/api/sign-in/options", { for: "device" }, local)).toMatchObject({
    value: { challenge: expect.any(String), gatewayId: expect.any(String) },
  });
  expect(await ask("POST", "/api/sign-in/options", { for: "all" }, local)).toMatchObject({ status: 400 });
});

it("UI-01 a browser that knocks is told its code, and that it has to wait", async () => {
  const stage = createDoorStage();
  const ask = open(stage);
  const local = { origin: "http://localhost:18650" };
  const { value } = await ask("POST", "/api/sign-in/options", { for: "device" }, local);
  const asked = value as { challenge: string; gatewayId: string };
  const device = { ...createTestDevice().prove(asked), challenge: asked.challenge };
  expect(await ask("POST", "/api/sign-in", { device }, local)).toMatchObject({
    status: 202,
    value: { pending: true, code: expect.stringMatching(/^\w{4}-\w{4}$/) },
  });
  expect(await ask("POST", "/api/sign-in", { device: { ...device, role: "owner" } }, local)).toMatchObject({
    status: 400,
  });
});
