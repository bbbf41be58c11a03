import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Caller } from "../../policy/caller.ts";
import { endFrom, providerMark, type JwtConfig } from "./provider-people.ts";
import { createDoorStage, here } from "./testing/door-stage.ts";

const issuer = "https://id.example.com/";
const day = 24 * 3_600_000;
const scope = { type: "tenant" } as const;

/** A gateway that lets people of an identity provider in, and what Ada of there has let in: a token and a browser. */
async function open() {
  const stage = createDoorStage();
  const { doors, clock, access } = stage;
  const root = await mkdtemp(join(tmpdir(), "pincer-provider-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }];
  const jwksFile = join(root, "keys.json");
  await writeFile(jwksFile, JSON.stringify({ keys }));
  const usual: JwtConfig = { issuer, audience: "pincer", jwksFile };
  const setJwt = (more: Partial<JwtConfig> = {}) => stage.set({ jwt: { ...usual, ...more } });
  setJwt();

  const say = async (roles: string[], more: object = {}) => {
    const exp = Math.floor(clock.now() / 1000) + 600;
    const claims = { sub: "ada", iss: issuer, aud: "pincer", roles, exp, ...more };
    const bearer = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k1" }).sign(privateKey);
    return doors.admit({ bearer }, here);
  };
  async function comes(): Promise<Caller> {
    const admission = await say(["admin"]);
    if (admission.type !== "admitted") throw new Error(admission.type);
    return admission.caller;
  }

  const ada = await comes();
  const { token: bearer, id } = await stage.putToken({
    role: "admin",
    createdBy: ada.id,
    boundTo: providerMark(usual),
  });
  const { code } = await doors.makeCode({ role: "admin", scope, by: ada });
  const outcome = await doors.signIn({ code }, { ...here, name: "Firefox" });
  const cookie = outcome.type === "signed-in" ? outcome.cookie : "";
  const made = await access.list();
  const browser = made.find(({ kind }) => kind === "browser");
  const inBrowser = await stage.putToken({ role: "viewer", createdBy: `browser:${browser?.id}` });
  /** By the token, the browser, and a token that was made in the browser. */
  const enter = async () => {
    const shown = [{ bearer }, { cookie }, { bearer: inBrowser.token }];
    const found = [];
    for (const each of shown) found.push((await doors.admit(each, here)).type === "admitted");
    return found;
  };
  return { ...stage, setJwt, say, enter, id };
}

const all = [true, true, true];
const none = [false, false, false];

describe("what people of an identity provider let in", () => {
  it("SEC-02 is good for thirty days, however much it is used", async () => {
    const { enter, clock, setTries } = await open();
    setTries(1000);
    for (let days = 0; days < 30; days += 5) {
      expect(await enter()).toEqual(all);
      await clock.advance(5 * day);
    }
    expect(await enter()).toEqual(none);
  });

  it("SEC-02 is good for as long as the config says, and by the config of now", async () => {
    const { enter, clock, setJwt, setTries } = await open();
    setTries(1000);
    setJwt({ accessDays: 2 });
    await clock.advance(2 * day - 1);
    expect(await enter()).toEqual(all);
    await clock.advance(1);
    expect(await enter()).toEqual(none);
    setJwt({ accessDays: 60 });
    expect(await enter()).toEqual(all);
    expect(endFrom(0, { accessDays: 60 })).toBe("1970-03-02T00:00:00.000Z");
  });

  it("SEC-02 is over when the config has no provider any more, or another one", async () => {
    const { enter, set, setJwt } = await open();
    setJwt({ issuer: "https://elsewhere.example/" });
    // The one that was made in the browser hangs on the browser.
    expect(await enter()).toEqual(none);
    setJwt();
    expect(await enter()).toEqual(all);
    set({ jwt: undefined });
    expect(await enter()).toEqual(none);
  });

  it("SEC-02 is over when the config denies them, and so are they", async () => {
    const { enter, setJwt, say } = await open();
    setJwt({ denied: ["bob", "ada"] });
    expect(await enter()).toEqual(none);
    expect((await say(["admin"])).type).toBe("refused");
  });

  it("SEC-02 is never more than the config gives to anybody of that provider", async () => {
    const { enter, setJwt } = await open();
    setJwt({ roles: { staff: "viewer" } });
    expect(await enter()).toEqual([false, false, false]);
    setJwt({ roles: { bosses: "owner" } });
    expect(await enter()).toEqual(all);
  });

  it("SEC-02 is taken back when the provider says that they are less, for good", async () => {
    const { enter, say, access, id } = await open();
    expect((await say(["viewer"])).type).toBe("admitted");
    expect(await enter()).toEqual(none);
    await say(["admin"]);
    expect(await enter()).toEqual(none);
    expect((await access.get(id))?.revokedAt).not.toBeNull();
  });

  it("SEC-02 is taken back when the provider gives them no role any more, or fewer agents", async () => {
    const gone = await open();
    expect((await gone.say(["guest"])).type).toBe("refused");
    expect(await gone.enter()).toEqual(none);
    const confined = await open();
    confined.setJwt({ agentsClaim: "agents" });
    await confined.say(["admin"], { agents: ["work"] });
    expect(await confined.enter()).toEqual(none);
  });

  it("stays when somebody else is less", async () => {
    const { enter, say } = await open();
    await say(["guest"], { sub: "bob" });
    await say(["admin"]);
    expect(await enter()).toEqual(all);
  });
});
