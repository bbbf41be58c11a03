import { describe, expect, it } from "vitest";
import { createPreviews } from "./previews.ts";
import { createDeliveryStage, peer, type DeliveryStage } from "./testing/delivery-stage.ts";

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function previewsOn(stage: DeliveryStage, streaming: "off" | "edit" = "edit", canEdit = true) {
  return createPreviews({
    outbox: stage.stores.outbox,
    wake: (rows) => stage.deliverer().wake(rows),
    clock: stage.clock,
    log: quiet,
    redactor: stage.redactor,
    streamingOf: () => streaming,
    canEdit: () => canEdit,
    notAfterMs: 60_000,
  });
}

const turn = { turnId: "run_1", destination: peer("ann"), replyTo: "q1" };

/** What the end of a turn does to its open preview. */
async function endWith(stage: DeliveryStage, text: string) {
  const row = await stage.stores.outbox.preview({
    ...turn,
    kind: "preview",
    text,
    attachments: [],
    notAfter: new Date(stage.clock.now() + 3_600_000).toISOString(),
    dedupeKey: null,
  });
  stage.deliverer().wake([row]);
}

/** The turn is over: its preview is no longer open. */
function closePreviews({ stores: { outbox } }: DeliveryStage): void {
  const { head } = outbox;
  outbox.head = async (conversation) => {
    const row = await head(conversation);
    return row && { ...row, isOpen: false };
  };
}

describe("previews", () => {
  it("show a growing answer as one message that is edited, at most once a second", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("Well, he");
    await stage.settle();
    expect(stage.seen()).toEqual([]);
    await stage.clock.advance(300);
    await stage.settle();
    expect(stage.ledger).toMatchObject([{ text: "Well,", replyTo: "q1" }]);
    for (const text of ["Well, hello", "Well, hello wor", "Well, hello world. "]) {
      preview.grow(text);
      await stage.settle();
    }
    expect(stage.seen()).toEqual(["Well,"]);
    await stage.clock.advance(1000);
    await stage.settle();
    expect(stage.ledger).toMatchObject([{ text: "Well, hello world.", edits: ["Well,"] }]);
    await preview.close();
    preview.grow("Well, hello world. And again ");
    await stage.clock.advance(5000);
    await stage.settle();
    expect(stage.seen()).toEqual(["Well, hello world."]);
  });

  it("SEC-02 show what is made of the text, and make it only when it is shown", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const made: string[] = [];
    const shown = (text: string) => (made.push(text), text.replaceAll("http", "hxxp"));
    const preview = previewsOn(stage).forTurn({ ...turn, shown });
    for (let at = 0; at < 50; at++) preview.grow(`See http://evil.example/ ${"more ".repeat(at)}`);
    await stage.clock.advance(300);
    await stage.settle();
    await preview.close();
    expect(made).toHaveLength(1);
    expect(stage.seen().join("\n")).toMatch(/^See hxxp:/);
    expect(stage.seen().join("\n")).not.toContain("http:");
  });

  it("begin at once when there is something to read", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow(`${"x".repeat(40)} `);
    await stage.settle();
    expect(stage.seen()).toEqual(["x".repeat(40)]);
    await preview.close();
  });

  it("are nothing where they are off or the channel cannot edit", async () => {
    const stage = await createDeliveryStage();
    for (const previews of [previewsOn(stage, "off"), previewsOn(stage, "edit", false)]) {
      const preview = previews.forTurn(turn);
      preview.grow("x ".repeat(50));
      await stage.clock.advance(5000);
      await preview.close();
    }
    await stage.settle();
    expect(await stage.stores.outbox.list({ limit: 5 })).toEqual([]);
  });

  it("SEC-01 show no secret, also not the part of one that has been said so far", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    stage.redactor.add("api", "sk-verysecretvalue");
    const preview = previewsOn(stage).forTurn(turn);
    const words = "The key that you asked me for: sk-verysecretvalue, and it works. ";
    for (let length = 1; length <= words.length; length += 5) {
      preview.grow(words.slice(0, length));
      await stage.clock.advance(1100);
      await stage.settle();
    }
    preview.grow(words);
    await stage.clock.advance(1100);
    await stage.settle();
    await preview.close();
    const seen = stage.ledger.flatMap(({ text, edits }) => [...edits, text]);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.join("\n")).not.toMatch(/sk-|secretvalue/);
    expect(seen.at(-1)).toBe("The key that you asked me for: [secret:api], and it works.");
    const [row] = await stage.stores.outbox.list({ limit: 1 });
    expect(row?.text).toBe(seen.at(-1));
  });

  it("show nothing of an answer that may turn out to be none", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    for (const text of ["NO", "NO_", "NO_REPLY", "NO_REPLY\n"]) {
      preview.grow(text);
      await stage.clock.advance(1100);
      await stage.settle();
    }
    expect(await stage.stores.outbox.list({ limit: 5 })).toEqual([]);
    preview.grow("NO_REPLY is what I was told to say. ");
    await stage.clock.advance(1100);
    await stage.settle();
    expect(stage.seen()).toEqual(["NO_REPLY is what I was told to say."]);
    await preview.close();
  });

  it("stay as they are when after them nothing more is said", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("I am looking into it. ");
    await stage.clock.advance(1100);
    await stage.settle();
    preview.grow("HEARTBEAT_OK ");
    await stage.clock.advance(1100);
    await stage.settle();
    await preview.close();
    expect(stage.ledger).toMatchObject([{ text: "I am looking into it.", edits: [] }]);
  });

  it("never fail the turn when the store does", async () => {
    const stage = await createDeliveryStage();
    stage.stores.outbox.preview = async () => {
      throw new Error("the disk is full");
    };
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("x ".repeat(50));
    await stage.settle();
    preview.grow("y ".repeat(50));
    await expect(preview.close()).resolves.toBeUndefined();
  });

  it("change before the eyes of their reader at most once a second, however fast they grow", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    for (const text of ["a", "ab", "abc", "abcd"]) {
      await endWith(stage, text);
      await stage.settle();
    }
    expect(stage.seen()).toEqual(["a"]);
    await stage.clock.advance(1000);
    await stage.settle();
    expect(stage.ledger).toMatchObject([{ text: "abcd", edits: ["a"] }]);
  });

  it("are finished by editing the same message after a crash", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("The answer is ".padEnd(50, ". "));
    await stage.settle();
    await stage.restart();
    await endWith(stage, "The answer is 42.");
    await stage.run();
    expect(stage.ledger).toMatchObject([{ messageId: "1", text: "The answer is 42." }]);
  });

  it("come to their last words also when the crash hit the first send of an idempotent network", async () => {
    const stage = await createDeliveryStage({ traits: { idempotentSend: true }, abilities: { edit: true } });
    stage.network.faults.inject({ type: "hang", taken: true });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("The answer is ".padEnd(50, ". "));
    await stage.settle();
    await stage.restart();
    await endWith(stage, "The answer is 42.");
    await stage.run();
    expect(stage.seen()).toEqual(["The answer is 42."]);
  });

  it("wait for the network with an edit, and lose none", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    await endWith(stage, "draft");
    await stage.run();
    stage.network.faults.inject({ type: "fail", call: "edit", code: "unavailable", times: 4 });
    stage.network.faults.inject({ type: "hang", call: "edit" });
    await endWith(stage, "final");
    await stage.run();
    expect(stage.seen()).toEqual(["final"]);
  });

  it("show no more of a long text than one message holds", async () => {
    const stage = await createDeliveryStage({ traits: { textLimit: 20 }, abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("one two three four five six seven eight nine ten ");
    await stage.settle();
    expect(stage.seen()).toEqual(["one two three four"]);
    await preview.close();
  });

  it("are given up quietly when the network refuses the edit, and the answer comes whole", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow(`${"x".repeat(40)} `);
    await stage.settle();
    stage.network.faults.inject({ type: "fail", call: "edit", code: "rejected", times: 9 });
    for (const length of [50, 60, 70]) {
      preview.grow(`${"x".repeat(length)} `);
      await stage.clock.advance(1000);
      await stage.settle();
    }
    await preview.close();
    expect(stage.seen()).toEqual(["x".repeat(40)]);
    expect(await stage.stores.notices.list({ limit: 5 })).toEqual([]);
    await stage.send({ text: "the whole answer", turnId: "run_1" });
    await stage.run();
    expect(stage.seen()).toEqual(["x".repeat(40), "the whole answer"]);
  });

  it("SEC-01 tell the owner why the last edit came too late, without the secrets in it", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    stage.redactor.add("bot", "123:abcdef");
    await endWith(stage, "draft");
    await stage.run();
    closePreviews(stage);
    const message = "POST /bot123:abcdef/edit failed";
    stage.network.faults.inject({ type: "fail", call: "edit", code: "unavailable", message, times: 999 });
    await endWith(stage, "final");
    await stage.run();
    const reason = "POST /bot[secret:bot]/edit failed";
    expect(await stage.stores.notices.list({ limit: 5 })).toMatchObject([
      { text: { parameters: { reason } } },
    ]);
  });

  it("are followed by the whole answer, in its place, when the last edit is refused", async () => {
    const stage = await createDeliveryStage({ traits: { idempotentSend: true }, abilities: { edit: true } });
    await endWith(stage, "draft");
    await stage.run();
    closePreviews(stage);
    stage.network.faults.inject({ type: "fail", call: "edit", code: "rejected" });
    stage.network.faults.inject({ type: "close-in-send", taken: true });
    await endWith(stage, "part one");
    await stage.send({ text: "part two" });
    await stage.run();
    expect(stage.seen()).toEqual(["draft", "part one", "part two"]);
  });
});
