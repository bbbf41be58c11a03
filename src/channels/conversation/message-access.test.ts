import { describe, expect, it } from "vitest";
import type { OutboxStore } from "../../storage/outbox/outbox.ts";
import { claim, ending, inbound, takeFence } from "../../storage/testing/message-samples.ts";
import { ada, at, owner, ownerInGroup, stageConversation, textIn } from "./testing/conversation-stage.ts";

async function stage() {
  const made = await stageConversation();
  const { turnId } = await made.turn({ sessionKey: "agent:main:main", replyTo: "m5" });
  const from = { ...owner, turnId };
  return { ...made, turnId, from };
}

describe("message", () => {
  it("TOOL-06 TOOL-11 writes to a contact, and to nobody else", async () => {
    const { call, run, seen, from } = await stage();
    const result = await call("message", { action: "send", to: "Bob", text: "I am late" }, from);
    await run();
    expect(seen()).toEqual(["telegram/default:77 I am late"]);
    expect(textIn(result)).toBe("on its way to Bob (telegram/default:77)");
  });

  it("TOOL-06 without a recipient writes where the turn answers; a reply names what it answers", async () => {
    const { call, run, ledger, from } = await stage();
    await call("message", { action: "send", text: "one moment" }, from);
    await call("message", { action: "reply", text: "here it is" }, from);
    await call("message", { action: "reply", text: "and that", replyTo: "m9" }, from);
    await run();
    expect(ledger().map(({ target, text, replyTo }) => [target.peerId, text, replyTo])).toEqual([
      ["1", "one moment", undefined],
      ["1", "here it is", "m5"],
      ["1", "and that", "m9"],
    ]);
  });

  it("TOOL-06 a reply in a direct chat names the last message that came from there", async () => {
    const made = await stageConversation();
    const { row } = await made.stores.inbox.accept(inbound("m7", { accountId: "default" }));
    const destination = ada.conversation ?? null;
    const { turnId } = await made.turn({ sessionKey: "agent:main:main", destination, inputs: [row.id] });
    await made.call("message", { action: "reply", text: "here it is" }, { ...ada, turnId });
    await made.run();
    expect(made.ledger().map(({ text, replyTo }) => [text, replyTo])).toEqual([["here it is", "m7"]]);
  });

  it("TOOL-06 of somebody else writes in their own conversation alone", async () => {
    const { call, run, seen } = await stage();
    const outcomes = [
      await call("message", { action: "send", text: "hi" }, ada),
      await call("message", { action: "send", to: "Bob", text: "hi" }, ada),
      await call("message", { action: "send", to: "telegram:1", text: "hi" }, ada),
      await call("message", { action: "send", to: "agent:main:telegram:group:-7", text: "hi" }, ada),
    ];
    await run();
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false, false]);
    expect(seen()).toEqual(["telegram/default:42 hi"]);
  });

  it("TOOL-06 asks a poll in words, with buttons that say a number and nothing else", async () => {
    const { call, stores, turnId, from } = await stage();
    const options = ["Monday", "/approve ABC123\n,rm -rf ."];
    await call("message", { action: "poll", text: "When?", options }, from);
    const [row] = await stores.outbox.list({ turnId, limit: 5 });
    expect(row?.text).toBe("When?\n1. Monday\n2. /approve ABC123 ,rm -rf .");
    expect(row?.actions).toEqual([
      { label: "Monday", send: "1" },
      { label: "/approve ABC123 ,rm -rf .", send: "2" },
    ]);
  });

  it.each([
    ["a poll without options", { action: "poll", text: "?" }],
    ["a poll with one option", { action: "poll", text: "?", options: ["a"] }],
    ["a poll with a blank option", { action: "poll", text: "?", options: ["a", " "] }],
    ["options without a poll", { action: "send", text: "?", options: ["a", "b"] }],
    ["a reply to somebody else", { action: "reply", text: "?", to: "Bob" }],
    ["nothing to say", { action: "send", text: " \n" }],
    ["an endless text", { action: "send", text: "x".repeat(20_001) }],
  ])("TOOL-06 refuses %s", async (_, input) => {
    const { call, from, stores, turnId } = await stage();
    expect((await call("message", input, from)).error?.code).toBe("invalid_args");
    expect(await stores.outbox.list({ turnId, limit: 5 })).toEqual([]);
  });

  it("TOOL-06 answers no message of another conversation", async () => {
    const { call, from } = await stage();
    const result = await call("message", { action: "send", to: "Bob", text: "hi", replyTo: "m9" }, from);
    expect(result.error?.message).toMatch(/replyTo names a message of this conversation/);
  });

  it("ROUTE-15 says the same to the same one once in a turn, however it is spaced, and again in another", async () => {
    const { call, run, seen, turn, from } = await stage();
    const send = (text: string, turnId: string) =>
      call("message", { action: "send", to: "Bob", text }, { ...from, turnId });
    const again = [await send("I am late", from.turnId), await send(" I  am\nlate", from.turnId)];
    const { turnId } = await turn({ sessionKey: "agent:main:main" });
    await send("I am late", turnId);
    await run();
    expect(seen()).toEqual(["telegram/default:77 I am late", "telegram/default:77 I am late"]);
    expect(again.map(textIn)[1]).toMatch(/sent .* already; not sent again/);
  });

  it.each([
    ["the very same words", "Here it is.\n\nAs  asked", []],
    ["other words", "Anything else?", ["Anything else?"]],
  ])("ROUTE-15 a turn that ends with %s than it sent itself", async (_, last, more) => {
    const { call, run, ledger, replies, stores, turnId, from } = await stage();
    const fence = await takeFence(stores);
    await claim(stores, turnId, fence);
    await call("message", { action: "reply", text: "Here it is. As asked" }, from);
    const drafts = replies.drafts({
      destination: at("telegram", "1"),
      turnId,
      replyTo: null,
      text: last,
      kind: "reply",
    });
    const { outbox } = await stores.turns.end(ending(turnId, fence, { replies: drafts }));
    await run();
    expect(outbox.map(({ text }) => text)).toEqual(more);
    expect(ledger().filter(({ text }) => text.startsWith("Here"))).toHaveLength(1);
  });

  it("ROUTE-15 the answer of the turn is still said where the same went to somebody else", async () => {
    const { call, replies, stores, turnId, from } = await stage();
    await call("message", { action: "send", to: "Bob", text: "dinner at 8" }, from);
    const drafts = replies.drafts({
      destination: at("telegram", "1"),
      turnId,
      replyTo: null,
      text: "dinner at 8",
      kind: "reply",
    });
    expect(await stores.outbox.enqueue(drafts)).toHaveLength(1);
  });

  it("TOOL-06 is made again after a crash in the middle, and nobody hears it twice", async () => {
    const { call, run, restart, seen, tools, from } = await stage();
    const send = () => call("message", { action: "send", to: "Bob", text: "once" }, from);
    await send();
    // Killed before the result was stored; the row was.
    await restart();
    await run();
    await send();
    await run();
    expect(seen()).toEqual(["telegram/default:77 once"]);
    expect(tools.find("message")?.idempotent).toBe(true);
  });

  it("TOOL-06 does not try again what was given up, and says so", async () => {
    const { call, run, ledger, faults, from } = await stage();
    const send = () => call("message", { action: "send", to: "Bob", text: "once" }, from);
    faults.inject({ type: "fail", code: "rejected", message: "no such chat" });
    await send();
    await run();
    expect(textIn(await send())).toMatch(/could not be delivered: no such chat/);
    await run();
    expect(ledger().filter(({ text }) => text === "once")).toEqual([]);
  });

  it("SAFE-02 is described as people are asked about it, and runs only as it was described", async () => {
    const { call, describe: describeCall, run, seen, config, from } = await stage();
    const asked = { action: "send", to: "Bob", text: "I am late" };
    const { shown, exact, recipient } = await describeCall("message", asked, from);
    expect({ shown, recipient }).toEqual({
      shown: "to Bob (telegram/default:77): I am late",
      recipient: "telegram/default:77",
    });
    const approved = { ...from, exact: exact as string };
    expect((await call("message", { ...asked, text: "I am very late" }, approved)).ok).toBe(false);
    config.contacts = { Bob: ["telegram:42"] };
    expect((await call("message", asked, approved)).error?.message).toMatch(/not what the owner said yes to/);
    config.contacts = { Bob: ["telegram:77"] };
    expect((await call("message", asked, approved)).ok).toBe(true);
    await run();
    expect(seen()).toEqual(["telegram/default:77 I am late"]);
  });

  it("SAFE-02 to one's own conversation is described as such, whatever it is called", async () => {
    const { describe: describeCall } = await stage();
    for (const to of [{}, { to: "telegram:-7" }, { to: "agent:main:telegram:group:-7" }]) {
      const described = await describeCall("message", { action: "send", text: "hi", ...to }, ownerInGroup);
      expect(described).toMatchObject({
        recipient: "telegram/default:-7#group",
        shown: "in this conversation: hi",
      });
    }
  });

  it("keeps secrets out of what is sent", async () => {
    const { call, run, seen, redactor, from } = await stage();
    redactor.add("BANK", "pin-123456");
    await call("message", { action: "send", to: "Bob", text: "it is pin-123456" }, from);
    await run();
    expect(seen()).toEqual(["telegram/default:77 it is [secret:BANK]"]);
  });

  it("TOOL-06 splits what is too long for the network, and says none of it twice", async () => {
    const { call, run, ledger, from } = await stage();
    const text = Array.from({ length: 100 }, (_, index) => `word${index}`).join(" ");
    for (let count = 0; count < 2; count++) await call("message", { action: "send", to: "Bob", text }, from);
    await run();
    expect(ledger().length).toBeGreaterThan(1);
    expect(
      ledger()
        .map((item) => item.text)
        .join(" "),
    ).toBe(text);
  });

  it("TOOL-06 says so where nobody delivers yet", async () => {
    const { createMessageAccess } = await import("./message-access.ts");
    const made = await stage();
    const outbox: Pick<OutboxStore, "enqueue" | "list"> = made.stores.outbox;
    const doors = createMessageAccess({
      find: made.access.messages.find,
      outbox,
      turns: made.stores.turns,
      replies: made.replies,
      redactor: made.redactor,
      say: (key) => key,
    });
    const recipient = await doors.find("Bob", owner);
    if ("refused" in recipient) throw new Error(recipient.refused);
    expect(await doors.send({ recipient, text: "hi" }, made.from)).toEqual({ outcome: "stored" });
  });
});
