import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { expect, it } from "vitest";
import { defaultConfig } from "../../config/default-config.ts";
import type { Config } from "../../config/schema.ts";
import { HttpFailure, type HttpCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { createDoorStage, owner, type DoorStage } from "./testing/door-stage.ts";

interface Answer {
  status: number;
  value: unknown;
  headers: OutgoingHttpHeaders;
}

function open(stage: DoorStage) {
  const gateway = defaultConfig.gateway as Config["gateway"];
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
  [{ "content-length": "4097" }, 413],
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
