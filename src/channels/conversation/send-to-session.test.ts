import { formatSessionKey } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import {
  ada,
  at,
  groupKey,
  owner,
  ownerInGroup,
  stageSessions,
  textIn,
} from "./testing/conversation-stage.ts";

describe("sessions_send", () => {
  it("TOOL-05 puts the words into the other session, to be answered where its people read", async () => {
    const made = await stageSessions();
    const turn = await made.turn({ sessionKey: "agent:main:main" });
    const from = { ...owner, turnId: turn.turnId };
    const result = await made.call("sessions_send", { session: groupKey, text: "dinner at 8" }, from);
    expect(textIn(result)).toBe(`on its way to ${groupKey}`);
    expect(made.received).toHaveLength(1);
    const { message } = made.received[0]!;
    expect(message).toMatchObject({
      channel: "system",
      peer: { kind: "room", id: groupKey },
      threadId: JSON.stringify(at("telegram", "-7", { peerKind: "group" })),
      sender: { id: "session:agent:main:main" },
      message: { type: "text", text: "dinner at 8" },
    });
  });

  it("TOOL-05 of the owner's own chat is answered where the owner was last", async () => {
    const made = await stageSessions();
    await made.turn({ sessionKey: "agent:main:main", destination: at("telegram", "1") });
    await made.turn({ sessionKey: "agent:main:main", destination: null });
    expect(await made.access.sessions.find("main", ownerInGroup)).toEqual({
      sessionKey: "agent:main:main",
      destination: at("telegram", "1"),
    });
  });

  it("TOOL-05 says the same words once in a turn, also when the call is made again after a crash", async () => {
    const made = await stageSessions();
    const { turnId } = await made.turn({ sessionKey: "agent:main:main" });
    const send = (text: string) =>
      made.call("sessions_send", { session: groupKey, text }, { ...owner, turnId });
    const said = [await send("one"), await send("one"), await send("two")];
    expect(said.map(({ data }) => (data as { isNew: boolean }).isNew)).toEqual([true, false, true]);
    expect(made.received).toHaveLength(2);
    expect(made.tools.find("sessions_send")?.idempotent).toBe(true);
  });

  it("TOOL-05 goes no further than through three sessions", async () => {
    const made = await stageSessions();
    const outcomes: boolean[] = [];
    let inputs: string[] | undefined;
    for (let count = 0; count < 5; count++) {
      const sessionKey = count % 2 === 0 ? "agent:main:main" : groupKey;
      const { turnId } = await made.turn({ sessionKey, ...(inputs && { inputs }) });
      const from = { place: { ...owner.place!, sessionKey }, turnId };
      const session = sessionKey === groupKey ? "main" : groupKey;
      const result = await made.call("sessions_send", { session, text: `ping ${count}` }, from);
      outcomes.push(result.ok);
      inputs = result.ok ? [made.received.at(-1)!.id] : inputs;
      if (!result.ok) break;
    }
    expect(outcomes).toEqual([true, true, true, false]);
  });

  it.each([
    ["somebody else", ada, groupKey, /cannot be written to/],
    ["oneself", owner, "main", /that is this session/],
    ["one that is not there", owner, "holiday", /there is no session/],
    ["one of another agent", owner, "agent:other:main", /there is no session/],
    ["people who are not let in any more", owner, "agent:main:telegram:dm:666", /not let in/],
  ])("TOOL-05 refuses %s", async (_, from, session, reason) => {
    const made = await stageSessions();
    await made.session("agent:main:telegram:dm:666", {
      channel: "telegram",
      accountId: "default",
      peerKey: "user:666",
    });
    const result = await made.call("sessions_send", { session, text: "hi" }, from);
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringMatching(reason) } });
    expect(made.received).toEqual([]);
  });

  it("SAFE-02 runs only as it was shown: to the same session, read in the same place", async () => {
    const made = await stageSessions();
    await made.turn({ sessionKey: "agent:main:main", destination: at("telegram", "1") });
    const asked = { session: "main", text: "hi" };
    const { exact, recipient, shown } = await made.describe("sessions_send", asked, ownerInGroup);
    expect([recipient, shown]).toEqual(["session:agent:main:main", "to the session agent:main:main: hi"]);
    await made.turn({ sessionKey: "agent:main:main", destination: at("slack", "U1") });
    const from = { ...ownerInGroup, exact: exact as string };
    expect((await made.call("sessions_send", asked, from)).error?.message).toMatch(
      /not what the owner said yes to/,
    );
    expect((await made.call("sessions_send", { ...asked, text: "ho" }, from)).ok).toBe(false);
  });

  it("keeps secrets out of what is stored", async () => {
    const made = await stageSessions();
    made.redactor.add("BANK", "pin-123456");
    await made.call("sessions_send", { session: groupKey, text: "it is pin-123456" }, owner);
    expect(made.received[0]?.message.message).toMatchObject({ text: "it is [secret:BANK]" });
  });

  it("names of sessions are read in every spelling", async () => {
    const made = await stageSessions();
    const scope = { tenantId: "acme", workspaceId: "w1", agentId: "main" };
    const conversation = { type: "group", channel: "telegram", kind: "group", group: "-7" } as const;
    const path = formatSessionKey({ ...scope, conversation }, "path");
    expect(await made.access.sessions.find(path, owner)).toMatchObject({ sessionKey: groupKey });
    const foreign = formatSessionKey({ ...scope, tenantId: "other", conversation }, "path");
    expect(await made.access.sessions.find(foreign, owner)).toMatchObject({ refused: expect.any(String) });
  });
});
