import { describe, expect, it } from "vitest";
import { createBlocks, type Blocks } from "./blocks.ts";
import { createReplies } from "./replies.ts";
import { createDeliveryStage, peer, type DeliveryStage } from "./testing/delivery-stage.ts";

const turn = { turnId: "t1", destination: peer("ann"), replyTo: "q1" };

async function makeStage() {
  const stage = await createDeliveryStage();
  const replies = createReplies({
    traitsOf: () => ({ textLimit: 4096 }),
    clock: stage.clock,
    notAfterMs: 3_600_000,
  });
  return { stage, replies, blocks: open(stage) };
}

function open(stage: DeliveryStage, streaming: "off" | "edit" | "blocks" = "blocks"): Blocks {
  return createBlocks({
    outbox: stage.stores.outbox,
    replies: createReplies({
      traitsOf: () => ({ textLimit: 4096 }),
      clock: stage.clock,
      notAfterMs: 3_600_000,
    }),
    wake: (rows) => stage.deliverer().wake(rows),
    log: { warn: (message) => void stage.logged.push(message) },
    redactor: stage.redactor,
    streamingOf: () => streaming,
    mayShow: (text) => !text.includes("http"),
  });
}

describe("an answer in pieces", () => {
  it("STREAM-04 sends each finished piece while it grows, and leaves the last to the end of the turn", async () => {
    const { stage, blocks } = await makeStage();
    const growing = blocks.forTurn(turn);
    for (const piece of ["One.\n\n", "Two.\n\n", "Three."]) growing.add(piece);
    await growing.close();
    await stage.run();
    expect(stage.seen()).toEqual(["One.\n\n", "Two.\n\n"]);
    expect(stage.ledger.map(({ replyTo }) => replyTo)).toEqual(["q1", undefined]);
    expect(blocks.rest("t1", "One.\n\nTwo.\n\nThree.")).toBe("Three.");
    blocks.forget("t1");
    expect(blocks.rest("t1", "One.\n\nTwo.")).toBe("One.\n\nTwo.");
  });

  it("STREAM-04 says all of an answer that does not begin with what was sent", async () => {
    const { blocks } = await makeStage();
    const growing = blocks.forTurn(turn);
    growing.add("One.");
    growing.add("Two.");
    await growing.close();
    expect(blocks.rest("t1", "Something else.")).toBe("Something else.");
  });

  it("STREAM-04 sends what was said before a tool, and begins anew after it", async () => {
    const { stage, blocks } = await makeStage();
    const growing = blocks.forTurn(turn);
    growing.add("Let me look.");
    growing.nextText();
    growing.add("It is noon.");
    await growing.close();
    await stage.run();
    expect(stage.seen()).toEqual(["Let me look."]);
    expect(blocks.rest("t1", "It is noon.")).toBe("It is noon.");
  });

  it("STREAM-04 says nothing twice that was sent before the process was killed", async () => {
    const { stage, blocks } = await makeStage();
    const before = blocks.forTurn(turn);
    for (const piece of ["One.", "Two.", "Three."]) before.add(piece);
    await before.close();
    await stage.run();
    const after = open(stage);
    const again = after.forTurn(turn);
    for (const piece of ["One.", "Two.", "Three.", "Four."]) again.add(piece);
    await again.close();
    await stage.run();
    expect(stage.seen()).toEqual(["One.", "Two.", "Three."]);
    expect(after.rest("t1", "One. Two. Three. Four.")).toBe("Four.");
  });

  it("STREAM-04 sends no more pieces when the model begins anew, and then says all of it", async () => {
    const { stage, blocks } = await makeStage();
    const growing = blocks.forTurn(turn);
    growing.add("One.");
    growing.add("Two.");
    growing.startOver();
    growing.add("Uno.");
    growing.add("Due.");
    await growing.close();
    await stage.run();
    expect(stage.seen()).toEqual(["One."]);
    expect(blocks.rest("t1", "Uno. Due.")).toBe("Uno. Due.");
  });

  it("SEC-02 leaves pieces with an address, and what follows them, to the end", async () => {
    const { stage, blocks } = await makeStage();
    const growing = blocks.forTurn(turn);
    for (const piece of ["One.", "See http://evil.example.", "Three.", "Four."]) growing.add(piece);
    await growing.close();
    await stage.run();
    expect(stage.seen()).toEqual(["One."]);
    expect(blocks.rest("t1", "One. See http://evil.example. Three. Four.")).toBe(
      "See http://evil.example. Three. Four.",
    );
  });

  it("STREAM-04 sends no pieces where the account wants none", async () => {
    const { stage } = await makeStage();
    const growing = open(stage, "edit").forTurn(turn);
    growing.add("One.");
    growing.add("Two.");
    await growing.close();
    await stage.run();
    expect(stage.seen()).toEqual([]);
  });
});
