import { describe, expect, it } from "vitest";
import { createDoorStage, createTestDevice, here } from "./testing/door-stage.ts";

const origin = "https://desk.example";

function open() {
  const stage = createDoorStage();
  const device = createTestDevice();
  async function knock(from: { origin?: string } = {}, change: object = {}) {
    const asked = await stage.doors.askForKey(origin);
    const proof = { ...device.prove(asked, { name: "phone" }), challenge: asked.challenge, ...change };
    return stage.doors.signIn({ device: proof }, { ...here, name: "Safari", origin, ...from });
  }
  return { ...stage, device, knock };
}

describe("a browser that asks to be let in", () => {
  it("UI-01 waits under one code however often it knocks, and comes in as what the owner says", async () => {
    const { knock, access, doors } = open();
    const first = await knock();
    expect(first).toEqual({ type: "pending", code: expect.stringMatching(/^\w{4}-\w{4}$/) });
    expect(await knock()).toEqual(first);
    const [request] = await access.listPending();
    expect(request).toMatchObject({ name: "phone", wants: "owner" });
    const scope = { type: "tenant" } as const;
    const as = { role: "viewer", scope, createdBy: "owner", expiresAt: null };
    const approved = await access.approveDevice(request?.id ?? "", as);
    const outcome = await knock();
    expect(outcome).toMatchObject({ type: "signed-in", access: { role: "viewer", way: "device", scope } });
    const cookie = outcome.type === "signed-in" ? outcome.cookie : "";
    expect(await doors.admit({ cookie }, here)).toMatchObject({ caller: { role: "viewer" } });
    await access.revoke(approved.type === "approved" ? approved.access.id : "", "owner");
    expect((await doors.admit({ cookie }, here)).type).toBe("refused");
  });

  it("SEC-02 asks again after it has signed out: the next person at that browser has its key as well", async () => {
    const { knock, access, doors } = open();
    await knock();
    const [request] = await access.listPending();
    const as = { role: "owner", scope: { type: "tenant" }, createdBy: "owner", expiresAt: null } as const;
    await access.approveDevice(request?.id ?? "", as);
    const outcome = await knock();
    const cookie = outcome.type === "signed-in" ? outcome.cookie : "";
    await doors.signOut(cookie);
    expect((await doors.admit({ cookie }, here)).type).toBe("refused");
    expect((await knock()).type).toBe("pending");
  });

  it("SEC-02 has a name that is nothing but a name in what the owner reads", async () => {
    const { knock, access } = open();
    await knock(
      {},
      { name: "[Let in](https://evil.example/`x`) \u202Eenohp <b>**Ana’s** Fairphone (5), 北京" },
    );
    const [request] = await access.listPending();
    expect(request?.name).toBe("Let in (https evil example x ) enohp b Ana’s Fairphone (5), 北京");
  });

  it("uses up no challenge of others once too many came from there", async () => {
    const { doors, device, setTries, clock } = open();
    setTries(1);
    const from = { ...here, name: "Safari", origin };
    const asked = await doors.askForKey(origin);
    const proof = { ...device.prove(asked), challenge: asked.challenge };
    await doors.signIn({ device: { ...proof, challenge: "AAAA" } }, from);
    expect((await doors.signIn({ device: proof }, from)).type).toBe("too-many-tries");
    await clock.advance(61_000);
    expect((await doors.signIn({ device: proof }, from)).type).toBe("pending");
  });

  it("proves each time that it has its key, on the page that it was asked on", async () => {
    const { knock, doors, device } = open();
    expect((await knock({ origin: "https://evil.example" })).type).toBe("refused");
    expect((await knock({}, { challenge: "AAAA" })).type).toBe("refused");
    expect((await knock({}, { wants: "admin" })).type).toBe("refused");
    expect((await knock({}, { publicKey: createTestDevice().publicKey })).type).toBe("refused");
    const asked = await doors.askForKey(origin);
    const proof = { ...device.prove(asked), challenge: asked.challenge };
    const from = { ...here, name: "Safari", origin };
    expect((await doors.signIn({ device: proof }, from)).type).toBe("pending");
    expect((await doors.signIn({ device: proof }, from)).type).toBe("refused");
  });

  it("is told to wait where too many came from there", async () => {
    const { knock, setTries } = open();
    setTries(1);
    await knock({}, { challenge: "AAAA" });
    expect(await knock()).toMatchObject({ type: "too-many-tries", retryAfterSeconds: expect.any(Number) });
  });
});
