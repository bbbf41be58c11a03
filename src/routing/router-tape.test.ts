import type { InboundMessage } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { inbound } from "./testing/inbound.ts";
import { stageRouter, type StageSettings } from "./testing/router-stage.ts";

async function started(settings: StageSettings = {}) {
  const stage = stageRouter(settings);
  await stage.start();
  const send = async (id: string, text: string, more: Partial<InboundMessage> = {}) => {
    const row = await stage.receive(inbound({ id, text, ...more }));
    await stage.settle();
    return row;
  };
  const said = async () => (await stage.said()).map(({ text }) => text);
  /** Every entry of the one session. */
  const tape = async () => {
    const { sessions } = await stage.stores.sessions.list({ limit: 9 });
    const entries = await Promise.all(
      sessions.map(({ sessionId }) => stage.stores.entries.after(sessionId, 0, 99)),
    );
    return entries.flat();
  };
  return { ...stage, send, texts: said, tape };
}

describe("the tape in a chat", () => {
  it("SESS-09 hands off between turns, and finds what was said before", async () => {
    const { send, texts, tape, stateOf } = await started();
    await send("1", "the code word is heron");
    const row = await send("2", ",handoff phase-1 we agreed on a code word");
    expect(await stateOf(row)).toBe("command handoff");
    await send("3", ",tape.search HERON");
    await send("4", "/anchors");
    const [answer, handoff, found, anchors] = await texts();
    expect(answer).toBe("echo: the code word is heron");
    expect(handoff).toContain("Anchor phase-1 is set");
    expect(found).toMatch(/^#2 .* user: the code word is heron$/);
    expect(anchors).toContain("anchor phase-1: we agreed on a code word");
    expect((await tape()).filter(({ type }) => type === "anchor")).toMatchObject([
      { name: "phase-1", state: { summary: "we agreed on a code word", by: "telegram:42" } },
    ]);
    const anchor = (await tape()).find(({ type }) => type === "anchor");
    expect(JSON.stringify(anchor)).not.toContain("input");
  });

  it("waits with a handoff for the turn that runs", async () => {
    const gate = Promise.withResolvers<void>();
    const { receive, pass, settle, tape, send } = await started({ work: () => gate.promise });
    await receive(inbound({ id: "1", text: "count" }));
    await pass(500);
    await receive(inbound({ id: "2", text: "/handoff" }));
    await pass(2000);
    expect((await tape()).some(({ type }) => type === "anchor")).toBe(false);
    gate.resolve();
    await settle();
    await send("3", "go on");
    const order = (await tape()).map((entry) => entry.type).filter((type) => type !== "session");
    expect(order).toEqual(["message", "anchor", "event", "message"]);
  });

  it("sets one anchor when the process dies before its message is settled", async () => {
    let dies = true;
    const stage = await started({
      through: (stores) => ({
        ...stores,
        inbox: {
          ...stores.inbox,
          settle: (...given) => (dies ? new Promise(() => {}) : stores.inbox.settle(...given)),
        },
      }),
    });
    await stage.receive(inbound({ id: "1", text: "/handoff done" }));
    await stage.pass(500);
    expect((await stage.tape()).filter(({ type }) => type === "anchor")).toHaveLength(1);
    dies = false;
    await stage.restart();
    await stage.start();
    await stage.settle();
    expect((await stage.tape()).filter(({ type }) => type === "anchor")).toHaveLength(1);
    expect(await stage.texts()).toEqual([expect.stringContaining("Anchor done is set")]);
  });

  it("SESS-09 begins another session, and what was said is still found", async () => {
    const { send, texts, begunSessions } = await started();
    await send("1", "heron");
    await send("2", ",tape.reset");
    await send("3", "another");
    await send("4", ",tape.search heron");
    expect(begunSessions).toHaveLength(1);
    const told = await texts();
    expect(told[1]).toContain("Nothing was deleted");
    expect(told[3]).toMatch(/user: heron \(session /);
  });

  it("makes a turn of its own of /compact", async () => {
    const { send, turns } = await started();
    await send("1", "/compact keep the dates");
    expect(await turns()).toMatchObject([{ options: { compact: { instructions: "keep the dates" } } }]);
  });

  it("leaves a group's session to the owner", async () => {
    const { send, texts, tape } = await started({ owners: ["telegram:1"] });
    const peer = { kind: "group" as const, id: "g" };
    await send("1", "/handoff x", { peer });
    expect(await texts()).toEqual([expect.stringContaining("only my owner")]);
    await send("2", "/handoff x", { peer, sender: { id: "1" } });
    expect((await tape()).filter(({ type }) => type === "anchor")).toHaveLength(1);
  });
});
