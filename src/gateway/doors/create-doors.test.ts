import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { away, createDoorStage, createTestDevice, here, owner } from "./testing/door-stage.ts";

const refused = { type: "refused" };

describe("nothing shown", () => {
  it("GW-11 lets nobody in who shows nothing, and counts no try", async () => {
    const { doors } = createDoorStage();
    for (let count = 0; count < 200; count++) {
      expect(await doors.admit({}, here)).toEqual({ type: "nothing-shown" });
    }
  });
});

describe("spaces", () => {
  it("TEN-02 a caller confined to another space is refused, and one with this space is admitted", async () => {
    const { doors, putToken } = createDoorStage();
    const confined = async (...workspaceIds: string[]) => {
      const { token } = await putToken({ scope: { type: "workspace", workspaceIds } });
      return (await doors.admit({ bearer: token }, here)).type;
    };
    expect(await confined("w_other")).toBe("refused");
    expect(await confined("w_other", "w_default")).toBe("admitted");
  });
});

describe("the home's token", () => {
  it("GW-11 makes its holder the owner", async () => {
    const { doors, home } = createDoorStage();
    expect(await doors.admit({ bearer: home.token }, away)).toEqual({
      type: "admitted",
      caller: {
        id: "owner",
        name: "owner",
        role: "owner",
        way: "token",
        tenantId: "acme",
        scope: { type: "tenant" },
      },
    });
  });

  it("GW-11 refuses every other spelling of it", async () => {
    const { doors, home, setTries } = createDoorStage();
    setTries(1000);
    const wrong = [
      "",
      home.token.slice(0, -1),
      `${home.token}x`,
      home.token.toUpperCase(),
      ` ${home.token}`,
      `pin_${home.token}`,
      "x".repeat(100_000),
      "\u0000",
    ];
    for (const bearer of wrong) expect(await doors.admit({ bearer }, here)).toEqual(refused);
  });

  it("GW-11 stops working the moment it is replaced, also for connected clients", async () => {
    const { doors, home } = createDoorStage();
    const old = home.token;
    const admission = await doors.admit({ bearer: old }, here);
    if (admission.type !== "admitted") throw new Error(admission.type);
    expect(await doors.isStillIn(admission.caller)).toBe(true);
    home.token = "n".repeat(43);
    expect(await doors.isStillIn(admission.caller)).toBe(false);
    expect(await doors.admit({ bearer: old }, here)).toEqual(refused);
  });

  it("may look like one of our own tokens", async () => {
    const { doors, home } = createDoorStage();
    home.token = `pin_${"x".repeat(40)}`;
    expect((await doors.admit({ bearer: home.token }, here)).type).toBe("admitted");
  });

  it("lets nobody in while it cannot be read, or where it is empty", async () => {
    const { doors, home, errors } = createDoorStage();
    home.token = "";
    expect(await doors.admit({ bearer: "" }, here)).toEqual(refused);
    Object.defineProperty(home, "token", {
      get() {
        throw new Error("locked");
      },
    });
    expect(await doors.admit({ bearer: "anything" }, here)).toEqual(refused);
    expect(errors).toHaveLength(1);
  });
});

describe("tokens of our own", () => {
  it("TEN-02 gives its holder its role and scope, and no more", async () => {
    const { doors, putToken } = createDoorStage();
    const scope = { type: "agent", agentIds: ["work"] } as const;
    const { token, id } = await putToken({ role: "viewer", scope });
    expect(await doors.admit({ bearer: token }, away)).toMatchObject({
      type: "admitted",
      caller: { id: `token:${id}`, name: "laptop", role: "viewer", way: "token", scope },
    });
  });

  it("GW-11 refuses one that is cut off, over, another tenant's, or taken back", async () => {
    const { doors, putToken, access, otherAccess, clock } = createDoorStage();
    const { token, id } = await putToken();
    const over = await putToken({ expiresAt: new Date(clock.now() + 1000).toISOString() });
    const foreign = await putToken({}, otherAccess);
    await clock.advance(1000);
    await access.revoke(id, "owner");
    for (const bearer of [token, token.slice(0, -1), over.token, foreign.token, "pin_", "pin_x"]) {
      expect(await doors.admit({ bearer }, here)).toEqual(refused);
    }
  });

  it("GW-11 is out while connected once it is taken back, over, or may do something else", async () => {
    const { doors, putToken, access, clock } = createDoorStage();
    const connect = async (more: Parameters<typeof putToken>[0]) => {
      const { token, id } = await putToken(more);
      const admission = await doors.admit({ bearer: token }, here);
      if (admission.type !== "admitted") throw new Error(admission.type);
      return { caller: admission.caller, id };
    };
    const revoked = await connect({});
    const over = await connect({ expiresAt: new Date(clock.now() + 1000).toISOString() });
    const stays = await connect({});
    await access.revoke(revoked.id, "owner");
    await clock.advance(1000);
    expect(await doors.isStillIn(revoked.caller)).toBe(false);
    expect(await doors.isStillIn(over.caller)).toBe(false);
    expect(await doors.isStillIn(stays.caller)).toBe(true);
    // One that was never admitted here is nobody.
    expect(await doors.isStillIn({ ...stays.caller })).toBe(false);
  });

  it("does not take the session of a browser for a token, nor a token for a session", async () => {
    const { doors, putToken, signIn } = createDoorStage();
    const cookie = await signIn();
    const { token } = await putToken();
    expect(await doors.admit({ bearer: cookie }, here)).toEqual(refused);
    expect(await doors.admit({ bearer: `pin_${cookie}` }, here)).toEqual(refused);
    expect(await doors.admit({ cookie: token }, here)).toEqual(refused);
    const { token: session } = await putToken({ kind: "browser" });
    expect(await doors.admit({ bearer: session }, here)).toEqual(refused);
  });

  it("lets nobody in by a row whose role it does not know", async () => {
    const { doors, putToken } = createDoorStage();
    for (const role of ["root", "peer", "__proto__", ""]) {
      const { token } = await putToken({ role });
      expect(await doors.admit({ bearer: token }, here)).toEqual(refused);
    }
  });

  it("notes when it was used", async () => {
    const { doors, putToken, access } = createDoorStage();
    const { token, id } = await putToken();
    await doors.admit({ bearer: token }, here);
    expect((await access.get(id))?.lastUsedAt).toBe("2026-01-01T12:00:00.000Z");
  });
});

describe("tokens of an identity provider", () => {
  it("GW-11 lets one in while it is good, and puts it out when it is over", async () => {
    const { doors, set, clock } = createDoorStage();
    const root = await mkdtemp(join(tmpdir(), "pincer-doors-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const { privateKey, publicKey } = await generateKeyPair("EdDSA", { extractable: true });
    const jwksFile = join(root, "keys.json");
    await writeFile(jwksFile, JSON.stringify({ keys: [await exportJWK(publicKey)] }));
    const payload = { sub: "ada", roles: "viewer", iss: "i", aud: "a", exp: clock.now() / 1000 + 60 };
    const bearer = await new SignJWT(payload).setProtectedHeader({ alg: "EdDSA" }).sign(privateKey);
    expect(await doors.admit({ bearer }, away)).toEqual(refused);
    set({ jwt: { issuer: "i", audience: "a", jwksFile } });
    const admission = await doors.admit({ bearer }, away);
    if (admission.type !== "admitted") throw new Error(admission.type);
    expect(admission.caller).toMatchObject({ id: "user:ada", role: "viewer", way: "jwt" });
    expect(await doors.isStillIn(admission.caller)).toBe(true);
    await clock.advance(66_000);
    expect(await doors.isStillIn(admission.caller)).toBe(false);
    expect(await doors.admit({ bearer }, away)).toEqual(refused);
  });
});

describe("browsers", () => {
  it("GW-11 a one-time code makes a session with the role that the code was made for", async () => {
    const { doors } = createDoorStage();
    const { code } = await doors.makeCode({ role: "viewer", scope: { type: "tenant" }, by: owner });
    const outcome = await doors.signIn({ code }, { ...here, name: "Firefox\n" });
    if (outcome.type !== "signed-in") throw new Error(outcome.type);
    expect(outcome).toMatchObject({
      maxAgeSeconds: 30 * 24 * 3600,
      access: { kind: "browser", name: "Firefox" },
    });
    expect(await doors.admit({ cookie: outcome.cookie }, here)).toMatchObject({
      caller: { id: `browser:${outcome.access.id}`, role: "viewer", way: "code" },
    });
  });

  it("GW-11 a code works once, for five minutes, and is of 128 bits at least", async () => {
    const { doors, clock, setTries } = createDoorStage();
    setTries(100);
    const make = () => doors.makeCode({ role: "owner", scope: { type: "tenant" }, by: owner });
    const once = await make();
    expect(Buffer.from(once.code, "base64url").length * 8).toBeGreaterThanOrEqual(128);
    const signIn = (code: string) => doors.signIn({ code }, { ...here, name: "" });
    expect((await signIn(once.code)).type).toBe("signed-in");
    expect(await signIn(once.code)).toEqual(refused);
    const late = await make();
    await clock.advance(5 * 60_000);
    for (const code of [late.code, late.code.slice(1), "", "nothing like a code"]) {
      expect(await signIn(code)).toEqual(refused);
    }
  });

  it("GW-11 a code is worth nothing once its creator has lost access", async () => {
    const { doors, putToken, access } = createDoorStage();
    const { token, id } = await putToken({ role: "admin" });
    const admission = await doors.admit({ bearer: token }, here);
    if (admission.type !== "admitted") throw new Error(admission.type);
    const make = () => doors.makeCode({ role: "admin", scope: { type: "tenant" }, by: admission.caller });
    const { code } = await make();
    const used = await doors.signIn({ code: (await make()).code }, { ...here, name: "" });
    await access.revoke(id, "owner");
    expect(await doors.signIn({ code }, { ...here, name: "" })).toEqual(refused);
    const cookie = used.type === "signed-in" ? used.cookie : "";
    expect(await doors.admit({ cookie }, here)).toEqual(refused);
  });

  it("a session that is used goes on, one that is not ends", async () => {
    const { doors, signIn, clock, set } = createDoorStage();
    set({ sessionHours: 1 });
    const cookie = await signIn();
    for (let hours = 0; hours < 5; hours++) {
      await clock.advance(50 * 60_000);
      expect((await doors.admit({ cookie }, here)).type).toBe("admitted");
    }
    await clock.advance(3_600_000);
    expect(await doors.admit({ cookie }, here)).toEqual(refused);
  });

  it("signing out ends the session for good", async () => {
    const { doors, signIn } = createDoorStage();
    const cookie = await signIn();
    await doors.signOut("not a session");
    expect((await doors.admit({ cookie }, here)).type).toBe("admitted");
    await doors.signOut(cookie);
    expect(await doors.admit({ cookie }, here)).toEqual(refused);
  });

  it("a session made by the home's token ends with that token, and so does one made by its code", async () => {
    const { doors, home, signIn } = createDoorStage();
    const outcome = await doors.signIn({ token: home.token }, { ...here, name: "" });
    if (outcome.type !== "signed-in") throw new Error(outcome.type);
    const admission = await doors.admit({ bearer: home.token }, here);
    if (admission.type !== "admitted") throw new Error(admission.type);
    const byCode = await signIn(admission.caller);
    const bySocket = await signIn(owner);
    home.token = "n".repeat(43);
    expect(await doors.admit({ cookie: outcome.cookie }, here)).toEqual(refused);
    expect(await doors.admit({ cookie: byCode }, here)).toEqual(refused);
    expect((await doors.admit({ cookie: bySocket }, here)).type).toBe("admitted");
  });

  it("GW-11 a password signs in where it is asked for, and its sessions end with it", async () => {
    const { doors, home, set } = createDoorStage();
    home.password = "a whole sentence of words";
    const signIn = (password: string) => doors.signIn({ password }, { ...here, name: "" });
    expect(await signIn(home.password)).toEqual(refused);
    set({ mode: "password" });
    expect(await signIn("another sentence of words")).toEqual(refused);
    const outcome = await signIn(home.password);
    if (outcome.type !== "signed-in") throw new Error(outcome.type);
    expect(await doors.admit({ cookie: outcome.cookie }, here)).toMatchObject({
      caller: { role: "owner", way: "password" },
    });
    expect(outcome.access.boundTo).not.toContain("sentence");
    home.password = "the next sentence of words";
    expect(await doors.admit({ cookie: outcome.cookie }, here)).toEqual(refused);
  });

  it("a missing password is no empty password", async () => {
    const { doors, set } = createDoorStage();
    set({ mode: "password" });
    expect(await doors.signIn({ password: "" }, { ...here, name: "" })).toEqual(refused);
    expect(await doors.signIn({ password: "undefined" }, { ...here, name: "" })).toEqual(refused);
  });
});

describe("devices", () => {
  it("GW-11 one that nobody knows waits with a code, and comes in as the owner says", async () => {
    const { doors, access } = createDoorStage();
    const device = createTestDevice();
    const knock = async () => {
      const about = await doors.makeChallenge();
      return doors.admit({ device: device.prove(about) }, { ...away, challenge: about.challenge });
    };
    const waiting = await knock();
    if (waiting.type !== "pending") throw new Error(waiting.type);
    expect(waiting.code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect(await knock()).toEqual(waiting);
    expect(await access.listPending()).toMatchObject([{ wants: "owner", address: away.address }]);
    const as = { role: "viewer", scope: { type: "tenant" }, createdBy: "owner", expiresAt: null } as const;
    await access.approveDevice(waiting.code, as);
    expect(await knock()).toMatchObject({ type: "admitted", caller: { role: "viewer", way: "device" } });
  });

  it("GW-11 what a known device wants today changes nothing", async () => {
    const { doors, access } = createDoorStage();
    const device = createTestDevice();
    const knock = async (wants: "owner" | "node") => {
      const about = await doors.makeChallenge();
      const shown = { device: device.prove(about, { wants }) };
      return doors.admit(shown, { ...here, challenge: about.challenge });
    };
    const waiting = await knock("node");
    const as = { role: "node", scope: { type: "tenant" }, createdBy: "owner", expiresAt: null } as const;
    await access.approveDevice(waiting.type === "pending" ? waiting.code : "", as);
    const [known] = await access.list();
    expect(await knock("owner")).toMatchObject({ caller: { id: `node:${known?.id}`, role: "node" } });
    expect(await access.listPending()).toEqual([]);
  });

  it("GW-11 a proof is worth nothing replayed, altered, for another gateway, or without a challenge", async () => {
    const { doors, access, setTries } = createDoorStage();
    setTries(1000);
    const device = createTestDevice();
    const other = createTestDevice();
    const about = await doors.makeChallenge();
    const next = await doors.makeChallenge();
    const proof = device.prove(about, { wants: "viewer" });
    const from = { ...here, challenge: about.challenge };
    const tricks: Array<Parameters<typeof doors.admit>> = [
      [{ device: proof }, { ...here, challenge: next.challenge }],
      [{ device: proof }, here],
      [{ device: device.prove({ ...about, challenge: "" }) }, { ...here, challenge: "" }],
      [{ device: { ...proof, wants: "owner" } }, from],
      [{ device: { ...proof, publicKey: other.publicKey } }, from],
      [{ device: { ...proof, signature: proof.signature.slice(0, -2) } }, from],
      [{ device: { ...proof, signature: "" } }, from],
      [{ device: { ...proof, publicKey: `${proof.publicKey}=` } }, from],
      [{ device: device.prove(about, { publicKey: `${proof.publicKey}=` }) }, from],
      [{ device: device.prove(about, { publicKey: ` ${proof.publicKey}` }) }, from],
      [{ device: { ...proof, publicKey: "A".repeat(43) } }, from],
      [{ device: device.prove({ ...about, gatewayId: "g_other" }) }, from],
      [{ device: { ...proof, wants: "peer" as "viewer" } }, from],
    ];
    for (const [shown, where] of tricks) expect(await doors.admit(shown, where)).toEqual(refused);
    expect(await access.listPending()).toEqual([]);
    expect((await doors.admit({ device: proof }, from)).type).toBe("pending");
  });

  it("GW-11 is out while connected once it is taken back, and has to ask again", async () => {
    const { doors, access } = createDoorStage();
    const device = createTestDevice();
    const about = await doors.makeChallenge();
    const shown = { device: device.prove(about) };
    const from = { ...here, challenge: about.challenge };
    const waiting = await doors.admit(shown, from);
    const as = { role: "viewer", scope: { type: "tenant" }, createdBy: "owner", expiresAt: null } as const;
    await access.approveDevice(waiting.type === "pending" ? waiting.code : "", as);
    const admission = await doors.admit(shown, from);
    if (admission.type !== "admitted") throw new Error(admission.type);
    expect(await doors.isStillIn(admission.caller)).toBe(true);
    const [known] = await access.list();
    await access.revoke(known?.id ?? "", "owner");
    expect(await doors.isStillIn(admission.caller)).toBe(false);
    expect((await doors.admit(shown, from)).type).toBe("pending");
  });

  it("unknown devices use up the tries of where they come from, so that they do not fill the list", async () => {
    const { doors, access, setTries } = createDoorStage();
    setTries(3);
    const knock = async () => {
      const about = await doors.makeChallenge();
      const shown = { device: createTestDevice().prove(about) };
      return (await doors.admit(shown, { ...away, challenge: about.challenge })).type;
    };
    const answers = [await knock(), await knock(), await knock(), await knock()];
    expect(answers).toEqual(["pending", "pending", "pending", "too-many-tries"]);
    expect(await access.listPending()).toHaveLength(3);
  });
});

describe("no authentication", () => {
  it("GW-11 lets everybody on this machine in as the owner, and nobody else", async () => {
    const { doors, set } = createDoorStage();
    set({ mode: "none" });
    for (const address of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]) {
      expect(await doors.admit({}, { address })).toMatchObject({ caller: { role: "owner", way: "open" } });
    }
    for (const address of ["192.168.1.2", "::", "0.0.0.0", "", "::ffff:192.168.1.2", "localhost"]) {
      expect(await doors.admit({}, { address })).toEqual({ type: "nothing-shown" });
    }
    expect(await doors.admit({}, { ...here, isForwarded: true })).toEqual({ type: "nothing-shown" });
  });

  it("a token that is shown still says who it is, and a wrong one is nobody's loss", async () => {
    const { doors, set, putToken } = createDoorStage();
    set({ mode: "none" });
    const { token } = await putToken({ role: "viewer" });
    expect(await doors.admit({ bearer: token }, here)).toMatchObject({ caller: { role: "viewer" } });
    expect(await doors.admit({ bearer: "sk-anything" }, here)).toMatchObject({ caller: { way: "open" } });
  });

  it("puts everybody out the moment it is switched off", async () => {
    const { doors, set } = createDoorStage();
    set({ mode: "none" });
    const admission = await doors.admit({}, here);
    if (admission.type !== "admitted") throw new Error(admission.type);
    expect(await doors.isStillIn(admission.caller)).toBe(true);
    set({ mode: "token" });
    expect(await doors.isStillIn(admission.caller)).toBe(false);
  });
});

describe("wrong tries", () => {
  it("GW-11 a limited number per minute from one address, of whatever kind; a right one takes nothing back", async () => {
    const { doors, home, setTries, clock } = createDoorStage();
    setTries(4);
    const about = await doors.makeChallenge();
    const bogus = { ...createTestDevice().prove(about), signature: "x" };
    expect(await doors.admit({ bearer: "wrong" }, away)).toEqual(refused);
    expect(await doors.admit({ cookie: "c".repeat(43) }, away)).toEqual(refused);
    expect(await doors.admit({ device: bogus }, { ...away, challenge: about.challenge })).toEqual(refused);
    expect((await doors.admit({ bearer: home.token }, away)).type).toBe("admitted");
    expect(await doors.signIn({ code: "d".repeat(32) }, { ...away, name: "" })).toEqual(refused);
    expect(await doors.admit({ bearer: "wrong" }, away)).toEqual({
      type: "too-many-tries",
      retryAfterSeconds: 15,
    });
    expect((await doors.admit({ bearer: "wrong" }, { address: "203.0.113.10" })).type).toBe("refused");
    await clock.advance(15_000);
    expect(await doors.admit({ bearer: "wrong" }, away)).toEqual(refused);
  });

  it("GW-11 what could be guessed is not even looked at any more, what could not be is", async () => {
    const { doors, home, setTries, putToken, set } = createDoorStage();
    setTries(2);
    set({ mode: "password" });
    home.password = "a whole sentence of words";
    home.token = "only 20 characters..";
    const { token } = await putToken();
    for (let count = 0; count < 2; count++) await doors.admit({ bearer: "wrong" }, away);
    const tooMany = { type: "too-many-tries", retryAfterSeconds: 30 };
    expect(await doors.admit({ bearer: home.token }, away)).toEqual(tooMany);
    expect(await doors.signIn({ token: home.token }, { ...away, name: "" })).toEqual(tooMany);
    expect(await doors.signIn({ password: home.password }, { ...away, name: "" })).toEqual(tooMany);
    expect((await doors.admit({ bearer: token }, away)).type).toBe("admitted");
  });

  it("GW-11 a caller with a whole network of addresses has no more tries than one, and all have ten times as many", async () => {
    const { doors, setTries } = createDoorStage();
    setTries(2);
    const from = (host: string) => doors.admit({ bearer: "wrong" }, { address: host });
    expect((await from("2001:db8::1")).type).toBe("refused");
    expect((await from("2001:db8::ffff:2")).type).toBe("refused");
    expect((await from("2001:db8:0:0:abcd::3")).type).toBe("too-many-tries");
    const answers: string[] = [];
    for (let count = 0; count < 30; count++) answers.push((await from(`198.51.100.${count}`)).type);
    expect(answers.filter((type) => type === "refused")).toHaveLength(17);
  });
});
