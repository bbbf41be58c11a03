import { describe, expect, it } from "vitest";
import type { Caller } from "../../policy/caller.ts";
import { away, createDoorStage, here, owner, type DoorStage } from "./testing/door-stage.ts";
import { createSoftAuthenticator, type Lies } from "./testing/soft-authenticator.ts";

const origin = "http://localhost:18650";

async function callerOf({ doors }: Pick<DoorStage, "doors">, cookie: string): Promise<Caller> {
  const admission = await doors.admit({ cookie }, here);
  if (admission.type !== "admitted") throw new Error(admission.type);
  return admission.caller;
}

/** A gateway with a signed-in browser and a passkey of it. */
async function open() {
  const stage = createDoorStage();
  const { doors } = stage;
  const cookie = await stage.signIn();
  const caller = await callerOf(stage, cookie);
  const device = createSoftAuthenticator();
  const options = await doors.offerPasskey(caller, origin);
  const access = await doors.addPasskey(caller, { name: "laptop", response: device.create(options) }, origin);
  async function ask() {
    const asked = await doors.askForPasskey(origin);
    if (!asked) throw new Error("no passkeys here");
    return asked;
  }
  const signIn = async (lies: Lies = {}, from: object = {}) =>
    doors.signIn({ passkey: device.sign(await ask(), lies) }, { ...here, name: "Firefox", origin, ...from });
  return {
    ...stage,
    store: stage.access,
    another: stage.signIn,
    cookie,
    caller,
    device,
    access,
    ask,
    signIn,
  };
}

describe("a passkey", () => {
  it("UI-01 signs a browser in as what it was made under, and says that it was used", async () => {
    const { doors, access, signIn } = await open();
    const outcome = await signIn();
    expect(outcome).toMatchObject({
      type: "signed-in",
      access: { role: "owner", way: "passkey", createdBy: `passkey:${access.id}` },
    });
    const cookie = outcome.type === "signed-in" ? outcome.cookie : "";
    expect(await doors.admit({ cookie }, here)).toMatchObject({ caller: { role: "owner", way: "passkey" } });
    expect(access).toMatchObject({ kind: "passkey", name: "laptop", role: "owner" });
  });

  it("is never more than the browser was that made it", async () => {
    const stage = createDoorStage();
    const { doors } = stage;
    const scope = { type: "agent", agentIds: ["work"] } as const;
    const { code } = await doors.makeCode({ role: "admin", scope, by: owner });
    const lesser = await doors.signIn({ code }, { ...here, name: "Firefox" });
    const caller = await callerOf(stage, lesser.type === "signed-in" ? lesser.cookie : "");
    const device = createSoftAuthenticator();
    const response = device.create(await doors.offerPasskey(caller, origin));
    await doors.addPasskey(caller, { name: "phone", response }, origin);
    const asked = await doors.askForPasskey(origin);
    if (!asked) throw new Error("no passkeys here");
    expect(
      await doors.signIn({ passkey: device.sign(asked) }, { ...here, name: "Firefox", origin }),
    ).toMatchObject({ type: "signed-in", access: { role: "admin", scope } });
  });

  it("asks everybody the same, no matter who has one, and only says whether there is any", async () => {
    const empty = createDoorStage().doors;
    const { doors, ask } = await open();
    const shape = { ...(await ask()), challenge: "" };
    expect({ ...(await empty.askForPasskey(origin)), challenge: "" }).toEqual(shape);
    expect(shape.allowCredentials).toBeUndefined();
    expect(shape).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(await empty.describePasskeys("localhost:18650")).toEqual({ here: true, registered: false });
    expect(await doors.describePasskeys("localhost:18650")).toEqual({ here: true, registered: true });
    expect(await doors.describePasskeys("127.0.0.1:18650")).toEqual({ here: false, registered: false });
  });

  const wrong: Array<[how: string, lies: Lies]> = [
    ["was shown to another page of this machine", { origin: "http://localhost:3000" }],
    ["was shown to a page elsewhere", { origin: "https://evil.example" }],
    ["is for another name", { rpId: "evil.example" }],
    ["was used without its owner being made sure of", { isUnverified: true }],
    ["signs something that we did not ask", { challenge: "AAAA" }],
    ["was made, not used", { type: "webauthn.create" }],
  ];
  it.each(wrong)("that %s lets nobody in, and is counted", async (_how, lies) => {
    const { signIn, setTries } = await open();
    expect(await signIn(lies)).toEqual({ type: "refused" });
    setTries(1);
    await signIn(lies);
    expect(await signIn()).toMatchObject({ type: "too-many-tries" });
  });

  it("lets nobody in twice by one answer", async () => {
    const { doors, device, ask } = await open();
    const passkey = device.sign(await ask(), { counter: 0 });
    const from = { ...here, name: "Firefox", origin };
    expect((await doors.signIn({ passkey }, from)).type).toBe("refused");
    const other = device.sign(await ask());
    expect((await doors.signIn({ passkey: other }, from)).type).toBe("signed-in");
    expect((await doors.signIn({ passkey: other }, from)).type).toBe("refused");
  });

  it("lets nobody in by a challenge that is over", async () => {
    const { doors, device, ask, clock } = await open();
    const asked = await ask();
    await clock.advance(120_000);
    const passkey = device.sign(asked);
    expect((await doors.signIn({ passkey }, { ...here, name: "Firefox", origin })).type).toBe("refused");
  });

  it("whose counter goes back is a copy, and lets nobody in", async () => {
    const { signIn } = await open();
    expect((await signIn({ counter: 10 })).type).toBe("signed-in");
    expect((await signIn({ counter: 10 })).type).toBe("refused");
    expect((await signIn({ counter: 9 })).type).toBe("refused");
    expect((await signIn({ counter: 0 })).type).toBe("refused");
    expect((await signIn({ counter: 11 })).type).toBe("signed-in");
  });

  it("that nobody knows is refused like any other", async () => {
    const { doors, ask } = await open();
    const stranger = createSoftAuthenticator();
    const passkey = stranger.sign(await ask());
    expect(await doors.signIn({ passkey }, { ...here, name: "Firefox", origin })).toEqual({
      type: "refused",
    });
  });

  it("with another's name has another's key", async () => {
    const { doors, ask, device } = await open();
    const stranger = createSoftAuthenticator();
    const { credentialId: id } = device;
    const passkey = { ...stranger.sign(await ask()), id, rawId: id };
    expect((await doors.signIn({ passkey }, { ...here, name: "Firefox", origin })).type).toBe("refused");
  });

  it("that is taken back lets nobody in any more, and puts out whom it let in", async () => {
    const stage = await open();
    const outcome = await stage.signIn();
    const cookie = outcome.type === "signed-in" ? outcome.cookie : "";
    const came = await callerOf(stage, cookie);
    await stage.store.revoke(stage.access.id, "owner");
    expect((await stage.doors.admit({ cookie }, here)).type).toBe("refused");
    expect(await stage.doors.isStillIn(came)).toBe(false);
    expect((await stage.signIn()).type).toBe("refused");
    expect(await stage.doors.describePasskeys("localhost")).toMatchObject({ registered: false });
  });

  it("stays when the browser signs out that made it, and goes when that one is taken back", async () => {
    const stage = await open();
    await stage.doors.signOut(stage.cookie);
    expect((await stage.signIn()).type).toBe("signed-in");
    const other = await open();
    await other.store.revoke(other.caller.id.slice("browser:".length), "owner");
    expect((await other.signIn()).type).toBe("refused");
  });

  it("hangs on the secret that let its maker in", async () => {
    const stage = createDoorStage();
    const came = await stage.doors.signIn({ token: stage.home.token }, { ...here, name: "Firefox" });
    const caller = await callerOf(stage, came.type === "signed-in" ? came.cookie : "");
    const device = createSoftAuthenticator();
    const response = device.create(await stage.doors.offerPasskey(caller, origin));
    await stage.doors.addPasskey(caller, { name: "laptop", response }, origin);
    stage.home.token = "u".repeat(43);
    const asked = await stage.doors.askForPasskey(origin);
    if (!asked) throw new Error("no passkeys here");
    const passkey = device.sign(asked);
    expect((await stage.doors.signIn({ passkey }, { ...here, name: "x", origin })).type).toBe("refused");
  });

  it("is over when the token is that its maker came by", async () => {
    const stage = createDoorStage();
    const expiresAt = new Date(stage.clock.now() + 3_600_000).toISOString();
    const { token } = await stage.putToken({ role: "owner", expiresAt });
    const admission = await stage.doors.admit({ bearer: token }, here);
    if (admission.type !== "admitted") throw new Error(admission.type);
    const caller = await callerOf(stage, await stage.signIn(admission.caller));
    const response = createSoftAuthenticator().create(await stage.doors.offerPasskey(caller, origin));
    expect(await stage.doors.addPasskey(caller, { name: "laptop", response }, origin)).toMatchObject({
      expiresAt,
    });
  });
});

describe("making a passkey", () => {
  it("is for browsers that have signed in", async () => {
    const { doors } = await open();
    await expect(doors.offerPasskey(owner, origin)).rejects.toMatchObject({ code: "permission/missing" });
  });

  it.each([
    ["this machine's name", "http://localhost:18650", true],
    ["a name of the config, by https", "https://desk.example", true],
    ["a name of the config on another port than it says", "https://port.example:9443", false],
    ["a page that the config allows", "https://page.example", true],
    ["a name of the config without https", "http://desk.example", false],
    ["a name that nobody knows", "https://evil.example", false],
    ["an address", "http://127.0.0.1:18650", false],
    ["an address by https", "https://192.168.1.5", false],
    ["a name of its own that ends like ours", "https://evil.desk.example", false],
    ["no page", "null", false],
  ])("%s: %s, %s", async (_what, page, isAllowed) => {
    const { doors, caller, setHosts } = await open();
    setHosts({
      allowedHosts: ["desk.example", "port.example:8443", "192.168.1.5"],
      allowedOrigins: ["https://page.example"],
    });
    expect((await doors.askForPasskey(page)) !== undefined).toBe(isAllowed);
    const offered = await doors.offerPasskey(caller, page).then(
      ({ rp }) => rp.id,
      (error: { code: string }) => error.code,
    );
    expect(offered).toBe(isAllowed ? new URL(page).hostname : "permission/missing");
  });

  it.each([
    ["of another page", { origin: "http://localhost:3000" }],
    ["of another name", { rpId: "evil.example" }],
    ["that its owner was not asked for", { isUnverified: true }],
    ["that was not asked for", { challenge: "AAAA" }],
  ] satisfies Array<[string, Lies]>)("takes none %s", async (_how, lies) => {
    const { doors, caller } = await open();
    const response = createSoftAuthenticator().create(await doors.offerPasskey(caller, origin), lies);
    const adding = doors.addPasskey(caller, { name: "laptop", response }, origin);
    await expect(adding).rejects.toMatchObject({ code: "usage/bad-argument" });
  });

  it("takes an answer once, from whom it was asked, for what it was asked", async () => {
    const stage = await open();
    const { doors, caller, ask, device } = stage;
    const other = await callerOf(stage, await stage.another());
    const offered = await doors.offerPasskey(caller, origin);
    const refused = { code: "usage/bad-argument" };
    const add = (by: Caller, response: ReturnType<typeof device.create>) =>
      doors.addPasskey(by, { name: "laptop", response }, origin);
    const second = createSoftAuthenticator();
    await expect(add(other, second.create(offered))).rejects.toMatchObject(refused);
    expect(await add(caller, second.create(offered))).toMatchObject({ kind: "passkey" });
    const third = createSoftAuthenticator();
    await expect(add(caller, third.create(offered))).rejects.toMatchObject(refused);
    const { challenge } = await ask();
    await expect(add(caller, third.create({ ...offered, challenge }))).rejects.toMatchObject(refused);
    const again = await doors.offerPasskey(caller, origin);
    await expect(add(caller, second.create(again))).rejects.toThrow("already registered");
    expect(again.excludeCredentials?.map(({ id }) => id).sort()).toEqual(
      [device.credentialId, second.credentialId].sort(),
    );
    const signedIn = { ...(await ask()), challenge: (await doors.offerPasskey(caller, origin)).challenge };
    const passkey = second.sign(signedIn);
    expect((await doors.signIn({ passkey }, { ...away, name: "x", origin })).type).toBe("refused");
  });

  it("a key of one name is none at another", async () => {
    const { doors, device, setHosts } = await open();
    setHosts({ allowedHosts: ["desk.example"], allowedOrigins: [] });
    const page = "https://desk.example";
    const asked = await doors.askForPasskey(page);
    if (!asked) throw new Error("no passkeys here");
    const passkey = device.sign(asked, { origin: page });
    expect((await doors.signIn({ passkey }, { ...here, name: "x", origin: page })).type).toBe("refused");
  });
});
