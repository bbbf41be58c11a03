import { describe, expect, it } from "vitest";
import type { Caller } from "../../policy/caller.ts";
import { createDoorStage, createTestDevice, here } from "./testing/door-stage.ts";
import { createSoftAuthenticator } from "./testing/soft-authenticator.ts";

const origin = "http://localhost:18650";
const tenant = { type: "tenant" } as const;
const chat = "telegram:42";

/** A browser that an owner let in from their chat, and ways in that were made in it. */
async function open() {
  const stage = createDoorStage();
  const { doors, access } = stage;
  const enter = async (shown: Parameters<typeof doors.admit>[0], from: object = {}) =>
    (await doors.admit(shown, { ...here, ...from })).type;

  const cookie = await stage.signIn({ id: `chat:${chat}`, way: "socket" });
  const caller = await callerBy(cookie);

  async function callerBy(shown: string): Promise<Caller> {
    const admission = await doors.admit({ cookie: shown }, here);
    if (admission.type !== "admitted") throw new Error(admission.type);
    return admission.caller;
  }

  async function makePasskey() {
    const key = createSoftAuthenticator();
    const response = key.create(await doors.offerPasskey(caller, origin));
    await doors.addPasskey(caller, { name: "laptop", response }, origin);
    return async () => {
      const asked = await doors.askForPasskey(origin);
      if (!asked) throw new Error("no passkeys here");
      return doors.signIn({ passkey: key.sign(asked) }, { ...here, name: "Firefox", origin });
    };
  }

  async function makeDevice() {
    const device = createTestDevice();
    const knock = async () => {
      const about = await doors.makeChallenge();
      return enter({ device: device.prove(about) }, { challenge: about.challenge });
    };
    await knock();
    const [request] = await access.listPending();
    const as = { role: "owner", scope: tenant, createdBy: caller.id, expiresAt: null };
    await access.approveDevice(request?.id ?? "", as);
    return knock;
  }

  return { ...stage, enter, cookie, caller, callerBy, makePasskey, makeDevice };
}

describe("what an owner has let in who is taken out of the config", () => {
  it("SEC-02 a browser's session is over, also on a connection that is open", async () => {
    const { enter, cookie, caller, doors, formerOwners } = await open();
    expect(await enter({ cookie })).toBe("admitted");
    formerOwners.add(chat);
    expect(await enter({ cookie })).toBe("refused");
    expect(await doors.isStillIn(caller)).toBe(false);
  });

  it("SEC-02 a token that was made in that browser lets nobody in, nor one that was made by that token", async () => {
    const { enter, putToken, caller, formerOwners } = await open();
    const first = await putToken({ role: "owner", createdBy: caller.id });
    const second = await putToken({ role: "viewer", createdBy: `token:${first.id}` });
    const tokens = [first.token, second.token];
    expect(await Promise.all(tokens.map((bearer) => enter({ bearer })))).toEqual(["admitted", "admitted"]);
    formerOwners.add(chat);
    expect(await Promise.all(tokens.map((bearer) => enter({ bearer })))).toEqual(["refused", "refused"]);
  });

  it("SEC-02 a passkey that was made in that browser signs nobody in, and puts out whom it had let in", async () => {
    const { enter, makePasskey, formerOwners } = await open();
    const signIn = await makePasskey();
    const outcome = await signIn();
    const cookie = outcome.type === "signed-in" ? outcome.cookie : "";
    expect(await enter({ cookie })).toBe("admitted");
    formerOwners.add(chat);
    expect(await enter({ cookie })).toBe("refused");
    expect((await signIn()).type).toBe("refused");
  });

  it("SEC-02 a device that was let in there has to ask again", async () => {
    const { makeDevice, formerOwners } = await open();
    const knock = await makeDevice();
    expect(await knock()).toBe("admitted");
    formerOwners.add(chat);
    expect(await knock()).toBe("pending");
  });

  it("SEC-02 a code that they made lets nobody in", async () => {
    const { doors, caller, formerOwners } = await open();
    const { code } = await doors.makeCode({ role: "owner", scope: tenant, by: caller });
    formerOwners.add(chat);
    expect((await doors.signIn({ code }, { ...here, name: "" })).type).toBe("refused");
  });

  it("SEC-02 also when the browser between them was over long ago", async () => {
    const { enter, putToken, caller, clock, formerOwners } = await open();
    const { token: bearer } = await putToken({ createdBy: caller.id });
    await clock.advance(90 * 24 * 3_600_000);
    await putToken();
    expect(await enter({ bearer })).toBe("admitted");
    formerOwners.add(chat);
    expect(await enter({ bearer })).toBe("refused");
  });

  it("is none of the other owners' loss", async () => {
    const { enter, signIn, putToken, formerOwners } = await open();
    const other = await signIn({ id: "chat:telegram:7", way: "socket" });
    const { token: bearer } = await putToken();
    formerOwners.add(chat);
    expect([await enter({ cookie: other }), await enter({ bearer })]).toEqual(["admitted", "admitted"]);
  });
});

describe("what came of a secret that others may know, once it is another one", () => {
  /** Somebody who signed in by it, and what they let in before it was changed. */
  async function enterBy(secret: "token" | "password") {
    const stage = createDoorStage();
    const { doors, home, putToken } = stage;
    if (secret === "password") stage.set({ mode: "password" });
    home.password = "a whole sentence of words";
    const proof = secret === "token" ? { token: home.token } : { password: home.password };
    const outcome = await doors.signIn(proof, { ...here, name: "Firefox" });
    if (outcome.type !== "signed-in") throw new Error(outcome.type);
    const enter = async (bearer: string) => (await doors.admit({ bearer }, here)).type;
    const first = await putToken({ role: "owner", createdBy: `browser:${outcome.access.id}` });
    const second = await putToken({ createdBy: `token:${first.id}` });
    const tokens = [first.token, second.token];
    return { ...stage, browser: outcome, tokens, enterAll: () => Promise.all(tokens.map(enter)), enter };
  }

  it.each(["token", "password"] as const)(
    "SEC-02 tokens created by a browser that signed in with the %s are revoked, with all access granted through them",
    async (secret) => {
      const { home, enterAll } = await enterBy(secret);
      expect(await enterAll()).toEqual(["admitted", "admitted"]);
      home[secret] = "n".repeat(43);
      expect(await enterAll()).toEqual(["refused", "refused"]);
    },
  );

  it("SEC-02 also when the browser between them was over long ago", async () => {
    const { home, clock, putToken, enterAll } = await enterBy("token");
    await clock.advance(90 * 24 * 3_600_000);
    await putToken();
    expect(await enterAll()).toEqual(["admitted", "admitted"]);
    home.token = "n".repeat(43);
    expect(await enterAll()).toEqual(["refused", "refused"]);
  });

  it("SEC-02 a device that was let in there has to ask again, and a browser that came by its key is out", async () => {
    const { doors, access, home, browser } = await enterBy("token");
    const device = createTestDevice();
    const knock = async () => {
      const about = await doors.makeChallenge();
      const shown = { device: device.prove(about) };
      return (await doors.admit(shown, { ...here, challenge: about.challenge })).type;
    };
    await knock();
    const [request] = await access.listPending();
    const as = { role: "owner", scope: tenant, expiresAt: null };
    await access.approveDevice(request?.id ?? "", { ...as, createdBy: `browser:${browser.access.id}` });
    const about = await doors.askForKey(origin);
    const proof = { device: { ...device.prove(about), challenge: about.challenge } };
    const session = await doors.signIn(proof, { ...here, name: "", origin });
    const cookie = session.type === "signed-in" ? session.cookie : "";
    expect([await knock(), (await doors.admit({ cookie }, here)).type]).toEqual(["admitted", "admitted"]);
    home.token = "n".repeat(43);
    expect([await knock(), (await doors.admit({ cookie }, here)).type]).toEqual(["pending", "refused"]);
  });

  it("SEC-02 a link that was made by it lets nobody in", async () => {
    const { doors, home } = await enterBy("token");
    const admission = await doors.admit({ bearer: home.token }, here);
    if (admission.type !== "admitted") throw new Error(admission.type);
    const { code } = await doors.makeCode({ role: "owner", scope: tenant, by: admission.caller });
    home.token = "n".repeat(43);
    expect((await doors.signIn({ code }, { ...here, name: "" })).type).toBe("refused");
  });

  it("SEC-02 lets nobody in while the secret cannot be read", async () => {
    const { home, enterAll, errors } = await enterBy("token");
    Object.defineProperty(home, "token", {
      get: () => {
        throw new Error("unreadable");
      },
    });
    expect(await enterAll()).toEqual(["refused", "refused"]);
    expect(String(errors[0])).toContain("unreadable");
  });

  it("is no loss of what was made at the home itself", async () => {
    const { home, enter, putToken } = await enterBy("token");
    const { token } = await putToken();
    home.token = "n".repeat(43);
    expect(await enter(token)).toBe("admitted");
  });
});

describe("the line of those who let one another in", () => {
  it("SEC-02 what a device has let in is over when it is let in anew as less", async () => {
    const { access, doors, enter, putToken } = createDoorStageWithDoors();
    const device = createTestDevice();
    const letIn = async (role: string) => {
      const { publicKey } = device;
      await access.askForDevice({ publicKey, name: "phone", wants: "owner", address: "" }, () => "ABCD2345");
      const as = { role, scope: tenant, createdBy: "owner", expiresAt: null };
      const outcome = await access.approveDevice("ABCD2345", as);
      return outcome.type === "approved" ? outcome.access.id : "";
    };
    const { token: bearer } = await putToken({ role: "owner", createdBy: `device:${await letIn("owner")}` });
    expect(await enter({ bearer })).toBe("admitted");
    await letIn("viewer");
    expect(await enter({ bearer })).toBe("refused");
    const about = await doors.makeChallenge();
    const shown = { device: device.prove(about) };
    expect(await doors.admit(shown, { ...here, challenge: about.challenge })).toMatchObject({
      caller: { role: "viewer" },
    });
  });

  it.each(["somebody", "token:x_gone", "passkey:x_gone", "chat:", ""])(
    "SEC-02 lets nobody in for whom '%s' stands",
    async (createdBy) => {
      const { enter, putToken } = createDoorStageWithDoors();
      const { token: bearer } = await putToken({ createdBy });
      expect(await enter({ bearer })).toBe("refused");
    },
  );
});

function createDoorStageWithDoors() {
  const stage = createDoorStage();
  const enter = async (shown: Parameters<typeof stage.doors.admit>[0]) =>
    (await stage.doors.admit(shown, here)).type;
  return { ...stage, enter };
}
