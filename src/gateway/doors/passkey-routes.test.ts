import { describe, expect, it } from "vitest";
import { HttpFailure, type AdmittedCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { createDoorStage, here } from "./testing/door-stage.ts";
import { createSoftAuthenticator } from "./testing/soft-authenticator.ts";

const origin = "http://localhost:18650";
type Admitting = Extract<HttpRoute, { access: { type: "permission" } }>;

async function open() {
  const stage = createDoorStage();
  const admission = await stage.doors.admit({ cookie: await stage.signIn() }, here);
  if (admission.type !== "admitted") throw new Error(admission.type);
  const routes = passkeyRoutes({ doors: stage.doors }) as Admitting[];
  async function post(path: string, body: unknown, headers: AdmittedCall["headers"] = { origin }) {
    const route = routes.find((each) => each.path === path);
    let answer: { status: number; value: unknown } = { status: 0, value: undefined };
    const call = {
      caller: admission.type === "admitted" && admission.caller,
      headers,
      json: async () => body,
    };
    const reply = { json: (status: number, value: unknown) => void (answer = { status, value }) };
    try {
      await route?.handle(call as unknown as AdmittedCall, reply as unknown as HttpReply);
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      return { status: error.status, value: error.code };
    }
    return answer;
  }
  return { ...stage, routes, post };
}

describe("the routes of passkeys", () => {
  it("UI-01 create one for a caller who may grant access", async () => {
    const { routes, post, access } = await open();
    expect(routes.map((route) => route.access)).toEqual([
      { type: "permission", point: "access.write" },
      { type: "permission", point: "access.write" },
    ]);
    const { value } = await post("/api/passkeys/options", {});
    const { options } = value as {
      options: Parameters<ReturnType<typeof createSoftAuthenticator>["create"]>[0];
    };
    const response = createSoftAuthenticator().create(options);
    expect(await post("/api/passkeys", { name: "laptop", response })).toMatchObject({
      status: 200,
      value: { name: "laptop", role: "owner" },
    });
    expect((await access.list()).map(({ kind }) => kind).sort()).toEqual(["browser", "passkey"]);
  });

  const response = createSoftAuthenticator().create({
    challenge: "AAAA",
    rp: { name: "x", id: "localhost" },
    user: { id: "x", name: "x", displayName: "x" },
    pubKeyCredParams: [],
  });
  it.each([
    ["nothing", {}],
    ["no name", { name: "", response }],
    ["a name that is too long", { name: "x".repeat(101), response }],
    ["more than is asked", { name: "x", response, role: "owner" }],
    ["another kind of credential", { name: "x", response: { ...response, type: "password" } }],
    ["what is no base64url", { name: "x", response: { ...response, id: "a b" } }],
    ["no answer", { name: "x", response: { ...response, response: {} } }],
  ])("take no body with %s", async (_what, body) => {
    const { post } = await open();
    expect(await post("/api/passkeys", body)).toEqual({ status: 400, value: "INVALID_REQUEST" });
  });

  it.each(["/api/passkeys", "/api/passkeys/options"])("%s answers pages of ours alone", async (path) => {
    const { post } = await open();
    const body = { name: "x", response };
    expect(await post(path, body, {})).toMatchObject({ status: 400 });
    expect(await post(path, body, { origin, "sec-fetch-site": "cross-site" })).toMatchObject({ status: 403 });
    expect(await post(path, body, { origin, "content-length": "99999" })).toMatchObject({ status: 413 });
  });
});
