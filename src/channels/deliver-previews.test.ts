import { describe, expect, it } from "vitest";
import { createPreviews } from "./previews.ts";
import { createDeliveryStage, peer, type DeliveryStage } from "./testing/delivery-stage.ts";

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function previewsOn(stage: DeliveryStage, streaming: "off" | "edit" | "block" = "edit", canEdit = true) {
  return createPreviews({
    outbox: stage.stores.outbox,
    wake: (rows) => stage.deliverer().wake(rows),
    clock: stage.clock,
    log: quiet,
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

describe("previews", () => {
  it("show a growing answer as one message that is edited, at most once a second", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("Hel");
    await stage.settle();
    expect(stage.seen()).toEqual([]);
    await stage.clock.advance(300);
    await stage.settle();
    expect(stage.ledger).toMatchObject([{ text: "Hel", replyTo: "q1" }]);
    for (const text of ["Hello", "Hello wor", "Hello world"]) {
      preview.grow(text);
      await stage.settle();
    }
    expect(stage.seen()).toEqual(["Hel"]);
    await stage.clock.advance(1000);
    await stage.settle();
    expect(stage.ledger).toMatchObject([{ text: "Hello world", edits: ["Hel"] }]);
    await preview.close();
    preview.grow("Hello world again");
    await stage.clock.advance(5000);
    await stage.settle();
    expect(stage.seen()).toEqual(["Hello world"]);
  });

  it("begin at once when there is something to read", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("x".repeat(40));
    await stage.settle();
    expect(stage.seen()).toEqual(["x".repeat(40)]);
    await preview.close();
  });

  it("are nothing where they are off or the channel cannot edit", async () => {
    const stage = await createDeliveryStage();
    for (const previews of [
      previewsOn(stage, "off"),
      previewsOn(stage, "block"),
      previewsOn(stage, "edit", false),
    ]) {
      const preview = previews.forTurn(turn);
      preview.grow("x".repeat(100));
      await stage.clock.advance(5000);
      await preview.close();
    }
    await stage.settle();
    expect(await stage.stores.outbox.list({ limit: 5 })).toEqual([]);
  });

  it("never fail the turn when the store does", async () => {
    const stage = await createDeliveryStage();
    stage.stores.outbox.preview = async () => {
      throw new Error("the disk is full");
    };
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("x".repeat(100));
    await stage.settle();
    preview.grow("y".repeat(100));
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
    preview.grow("The answer is ".padEnd(50, "."));
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
    preview.grow("The answer is ".padEnd(50, "."));
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
    preview.grow("one two three four five six seven eight nine ten");
    await stage.settle();
    expect(stage.seen()).toEqual(["one two three four"]);
    await preview.close();
  });

  it("are given up quietly when the network refuses the edit, and the answer comes whole", async () => {
    const stage = await createDeliveryStage({ abilities: { edit: true } });
    const preview = previewsOn(stage).forTurn(turn);
    preview.grow("x".repeat(40));
    await stage.settle();
    stage.network.faults.inject({ type: "fail", call: "edit", code: "rejected", times: 9 });
    for (const length of [50, 60, 70]) {
      preview.grow("x".repeat(length));
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

  it("are followed by the whole answer, in its place, when the last edit is refused", async () => {
    const stage = await createDeliveryStage({ traits: { idempotentSend: true }, abilities: { edit: true } });
    await endWith(stage, "draft");
    await stage.run();
    // The turn is over: its preview is no longer open.
    const { head } = stage.stores.outbox;
    stage.stores.outbox.head = async (conversation) => {
      const row = await head(conversation);
      return row && { ...row, isOpen: false };
    };
    stage.network.faults.inject({ type: "fail", call: "edit", code: "rejected" });
    stage.network.faults.inject({ type: "close-in-send", taken: true });
    await endWith(stage, "part one");
    await stage.send({ text: "part two" });
    await stage.run();
    expect(stage.seen()).toEqual(["draft", "part one", "part two"]);
  });
});
