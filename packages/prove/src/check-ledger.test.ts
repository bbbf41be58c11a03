import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountKinds, type AccountKind } from "./account-kinds.ts";
import { createAllowances, type Allowances } from "./allowances.ts";
import { checkLedger, type Evidence } from "./check-ledger.ts";
import { createNetworkLedger, type NetworkLedger, type PersonMessage } from "./network-ledger.ts";
import { scriptText, writeAnswer, type ScriptKind } from "./script.ts";

const repeatMark = "(maybe sent twice) ";

/** A small world: people write, the product answers as told, and the judge speaks. */
function createWorld() {
  const ledger: NetworkLedger = createNetworkLedger();
  const effects: string[] = [];
  let keys = 0;
  const target = (peerId: string) => ({ peerKind: "user" as const, peerId });
  return {
    effects,
    messages: () => ledger.messages,
    seen: () => ledger.seen,
    ask(kind: ScriptKind = "say", account: AccountKind = "plain", peerId = "42"): PersonMessage {
      const number = ledger.messages.length + 1;
      const id = `m${number}`;
      const peer = { kind: "user" as const, id: peerId };
      const text = scriptText({ id, kind });
      const message: PersonMessage = { id, kind, account, providerId: String(number), peer, text };
      ledger.write(message);
      ledger.acknowledge(account, message.providerId);
      return message;
    },
    /** Shows a text where that message was written. */
    show(message: PersonMessage, text: string, more: { replyTo?: string; peerId?: string } = {}) {
      const replyTo = more.replyTo === undefined ? {} : { replyTo: more.replyTo };
      const to = target(more.peerId ?? message.peer.id);
      ledger.take(message.account, { target: to, text, key: `k${++keys}`, ...replyTo });
    },
    answer(...messages: PersonMessage[]) {
      const [first] = messages;
      if (first)
        this.show(
          first,
          writeAnswer(messages, () => "done"),
        );
    },
    judge: (more: Partial<Evidence> = {}) =>
      checkLedger({
        messages: ledger.messages,
        isAcknowledged: ledger.isAcknowledged,
        seen: ledger.seen,
        effects,
        flaws: [],
        repeatMark,
        ...more,
      }),
    kinds(more: Partial<Evidence> = {}) {
      return this.judge(more).faults.map(({ kind }) => kind);
    },
  };
}

describe("the judge finds nothing wrong", () => {
  it("with a line to somebody who waits, which answers nothing", () => {
    const world = createWorld();
    const message = world.ask("say", "keyed");
    world.show(message, "I cannot store messages right now.");
    world.show(
      message,
      writeAnswer([message], () => "done"),
    );
    expect(world.judge({ waitingLines: ["I cannot store messages right now."] }).faults).toEqual([]);
    expect(world.judge().faults).not.toEqual([]);
  });

  it("when each message is answered once, in order, where it was written", () => {
    const world = createWorld();
    const first = world.ask();
    const second = world.ask("long");
    const other = world.ask("say", "keyed");
    world.answer(first);
    world.answer(other);
    world.answer(second);
    expect(world.judge()).toEqual({ faults: [], markedRepeats: 0, toldFailed: [] });
  });

  it.each([
    ["names what it speaks of", true],
    ["names nothing", false],
  ])(
    "when nobody knows whether the rest of a long answer arrived, and a line that %s says so",
    (_, isNamed) => {
      const world = createWorld();
      const message = world.ask("long");
      const [head = "", ...parts] = writeAnswer([message], () => "done").split("\n\n");
      world.show(message, [head, parts[0], parts[1]].join("\n\n"));
      world.show(message, "An answer may not have arrived.", isNamed ? { replyTo: message.providerId } : {});
      expect(world.judge()).toEqual({ faults: [], markedRepeats: 0, toldFailed: [message.id] });
    },
  );

  it("when a later answer speaks of a message too that a line had given up", () => {
    const world = createWorld();
    const message = world.ask("say", "keyed");
    world.show(message, "I could not answer this.", { replyTo: message.providerId });
    world.answer(message, world.ask("say", "keyed"));
    expect(world.kinds()).toEqual([]);
  });

  it("when the line about such a message says of none which one it is about", () => {
    const world = createWorld();
    const message = world.ask("say", "editing");
    world.show(message, "I could not answer this.");
    world.answer(message, world.ask("say", "editing"));
    expect(world.kinds()).toEqual([]);
  });

  it("when one answer serves several messages", () => {
    const world = createWorld();
    world.answer(world.ask(), world.ask("long"), world.ask());
    expect(world.kinds()).toEqual([]);
  });

  it("when a long answer comes in several texts", () => {
    const world = createWorld();
    const message = world.ask("long");
    const [head = "", ...parts] = writeAnswer([message], () => "done").split("\n\n");
    world.show(message, [head, parts[0]].join("\n\n"));
    world.show(message, parts.slice(1).join("\n\n"));
    expect(world.kinds()).toEqual([]);
  });

  it("when a repeat is marked, once, on a channel that cannot be asked, and counts it", () => {
    const world = createWorld();
    const message = world.ask();
    world.answer(message);
    world.show(message, `${repeatMark}re m1.`);
    expect(world.judge()).toMatchObject({ faults: [], markedRepeats: 1 });
  });

  it("when the one text that arrived is the marked one", () => {
    const world = createWorld();
    world.show(world.ask(), `${repeatMark}re m1.`);
    expect(world.judge()).toMatchObject({ faults: [], markedRepeats: 1 });
  });

  it("when one line says that an answer failed", () => {
    const world = createWorld();
    const message = world.ask("poison", "keyed");
    world.show(message, "This could not be answered.", { replyTo: message.providerId });
    expect(world.judge()).toEqual({ faults: [], markedRepeats: 0, toldFailed: ["m1"] });
  });

  it("when one line speaks for messages that were to be answered together", () => {
    const world = createWorld();
    world.answer(world.ask());
    const second = world.ask();
    world.ask();
    world.show(second, "This could not be answered.", { replyTo: second.providerId });
    expect(world.judge()).toMatchObject({ faults: [], toldFailed: ["m2", "m3"] });
  });

  it("when a line speaks of an answer that did arrive, where nobody could know, once", () => {
    const world = createWorld();
    const message = world.ask();
    world.answer(message);
    world.show(message, "An answer may not have arrived.");
    expect(world.kinds()).toEqual([]);
    world.show(message, "An answer may not have arrived.");
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it("when the beginning of a long answer failed, the rest came, and a line says so; not without the line", () => {
    const world = createWorld();
    const message = world.ask("long");
    const [, ...parts] = writeAnswer([message], () => "done").split("\n\n");
    world.show(message, parts.slice(2).join("\n\n"));
    expect(world.kinds()).toContain("misordered");
    world.show(message, "An answer may not have arrived.");
    expect(world.kinds()).toEqual([]);
  });

  it("when such a line comes once more, marked, and not when it comes a third time or unmarked", () => {
    const line = "An answer may not have arrived.";
    const world = createWorld();
    const message = world.ask();
    world.show(message, line);
    world.show(message, `${repeatMark}${line}`);
    expect(world.kinds()).toEqual([]);
    world.show(message, `${repeatMark}${line}`);
    expect(world.kinds()).toEqual(["doubled"]);
    const sure = createWorld();
    const other = sure.ask("say", "queryable");
    sure.show(other, line);
    sure.show(other, `${repeatMark}${line}`);
    expect(sure.kinds()).toContain("doubled");
  });

  it("whatever the order between conversations", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ account: fc.constantFrom(...accountKinds), peer: fc.constantFrom("1", "2") })),
        fc.infiniteStream(fc.nat()),
        (wishes, chance) => {
          const world = createWorld();
          const asked = wishes.map(({ account, peer }) => world.ask("say", account, peer));
          const queues = [...Map.groupBy(asked, ({ account, peer }) => `${account} ${peer.id}`).values()];
          while (queues.some((queue) => queue.length > 0)) {
            const open = queues.filter((queue) => queue.length > 0);
            const message = open[(chance.next().value ?? 0) % open.length]?.shift();
            if (message) world.answer(message);
          }
          expect(world.kinds()).toEqual([]);
        },
      ),
    );
  });
});

describe("the judge finds", () => {
  it("a message without an answer, acknowledged or not", () => {
    const world = createWorld();
    world.answer(world.ask());
    world.ask();
    expect(world.judge().faults).toEqual([
      { kind: "lost", detail: "m2 say on plain, acknowledged, has no answer" },
    ]);
    expect(world.judge({ isAcknowledged: () => false }).faults).toEqual([
      { kind: "lost", detail: "m2 say on plain, never acknowledged, has no answer" },
    ]);
  });

  it("a message without an answer beside one whose failure was told", () => {
    const world = createWorld();
    const first = world.ask();
    world.answer(world.ask());
    world.ask();
    world.show(first, "This could not be answered.", { replyTo: first.providerId });
    expect(world.judge()).toMatchObject({ faults: [{ kind: "lost" }], toldFailed: ["m1"] });
  });

  it("a second answer that is not marked", () => {
    const world = createWorld();
    const message = world.ask();
    world.answer(message);
    world.answer(message);
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it("a second answer within another one", () => {
    const world = createWorld();
    const [first, second] = [world.ask(), world.ask()];
    world.answer(first);
    world.answer(first, second);
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it("a part that comes twice", () => {
    const world = createWorld();
    const message = world.ask("long");
    world.answer(message);
    world.show(
      message,
      writeAnswer([message], () => "done")
        .split("\n\n")
        .at(-1) ?? "",
    );
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it("more marked repeats than a network of unknown outcome explains", () => {
    const world = createWorld();
    const message = world.ask();
    for (let time = 0; time < 3; time++) world.show(message, `${repeatMark}re m1.`);
    expect(world.kinds()).toEqual([]);
    world.show(message, `${repeatMark}re m1.`);
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it.each(["keyed", "queryable", "editing"] as const)("a marked repeat on %s, which knows", (account) => {
    const world = createWorld();
    world.show(world.ask("say", account), `${repeatMark}re m1.`);
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it("a line about a failure besides the answer, where it could be known", () => {
    const world = createWorld();
    const message = world.ask("say", "queryable");
    world.answer(message);
    world.show(message, "This could not be delivered.", { replyTo: message.providerId });
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it("an answer to a message alone that a line had given up", () => {
    const world = createWorld();
    const message = world.ask("say", "queryable");
    world.show(message, "This could not be delivered.", { replyTo: message.providerId });
    world.answer(message);
    expect(world.kinds()).toEqual(["doubled"]);
  });

  it("a second line about the same failure, and one about nothing", () => {
    const world = createWorld();
    const message = world.ask("poison");
    for (let time = 0; time < 2; time++) world.show(message, "It failed.", { replyTo: message.providerId });
    world.show(message, "It failed.", { peerId: "7" });
    expect(world.kinds()).toEqual(["doubled", "doubled"]);
  });

  it("answers in another order than the messages", () => {
    const world = createWorld();
    const [first, second] = [world.ask(), world.ask()];
    world.answer(second);
    world.answer(first);
    expect(world.kinds()).toEqual(["misordered"]);
  });

  it("names in another order than the messages", () => {
    const world = createWorld();
    const [first, second] = [world.ask(), world.ask()];
    world.answer(second, first);
    expect(world.kinds()).toEqual(["misordered"]);
  });

  it("parts in another order, and parts behind the next answer", () => {
    const world = createWorld();
    const message = world.ask("long");
    const [head = "", one = "", two = "", three = "", four = ""] = writeAnswer([message], () => "done").split(
      "\n\n",
    );
    world.show(message, [head, two, one].join("\n\n"));
    world.answer(world.ask());
    world.show(message, [three, four].join("\n\n"));
    expect(world.kinds()).toEqual(["misordered", "misordered"]);
  });

  it("an answer in another conversation, and one on another channel with the same ids", () => {
    const world = createWorld();
    const message = world.ask("say", "plain", "42");
    const twin = world.ask("say", "keyed", "42");
    world.show(message, "re m1.", { peerId: "7" });
    world.show(message, "re m2.");
    expect(twin.peer).toEqual(message.peer);
    expect(world.kinds()).toEqual(["misrouted", "misrouted"]);
  });

  it("an answer that points to a message of another conversation", () => {
    const world = createWorld();
    const message = world.ask();
    const other = world.ask("say", "plain", "7");
    world.show(message, "re m1.", { replyTo: other.providerId });
    world.answer(other);
    expect(world.kinds()).toEqual(["misrouted"]);
  });

  it("an answer that lacks parts", () => {
    const world = createWorld();
    const message = world.ask("long");
    world.show(
      message,
      writeAnswer([message], () => "done")
        .split("\n\n")
        .slice(0, 3)
        .join("\n\n"),
    );
    expect(world.judge().faults).toEqual([
      { kind: "corrupt", detail: "the answer to m1 lacks its parts 3, 4" },
    ]);
  });

  it("a text that was never finished", () => {
    const world = createWorld();
    const message = world.ask();
    world.show(message, "re m");
    world.answer(message);
    expect(world.kinds()).toEqual(["corrupt"]);
  });

  it("an effect that was done twice, and one that was reported and not done", () => {
    const world = createWorld();
    world.answer(world.ask("tools"));
    world.effects.push("call_m1_a", "call_m1_a");
    expect(world.judge().faults.map(({ detail }) => detail)).toEqual([
      "call_m1_a took effect 2 times",
      "call_m1_c was reported as done and was not",
    ]);
  });

  it("what is wrong with the home", () => {
    const world = createWorld();
    expect(world.judge({ flaws: ["page 3 is never used"] }).faults).toEqual([
      { kind: "corrupt", detail: "page 3 is never used" },
    ]);
  });
});

describe("the judge of trouble finds", () => {
  const allowing = (more: Partial<Allowances>): Partial<Evidence> => ({
    allowances: { ...createAllowances(), ...more },
  });

  it("silence where a message was lost and nobody was told, and none where somebody was", () => {
    const world = createWorld();
    const { id } = world.ask();
    const untold = allowing({ unanswered: new Map([[id, "untold"]]) });
    expect(world.kinds(untold)).toEqual(["silent"]);
    const told = world.judge(allowing({ unanswered: new Map([[id, "told"]]) }));
    expect(told).toMatchObject({ faults: [], toldFailed: [id] });
    world.answer(...world.messages());
    expect(world.kinds(untold)).toEqual([]);
  });

  it("silence where somebody waited for more than a minute and heard nothing, in whatever conversation", () => {
    const world = createWorld();
    const message = world.ask();
    const line = "I cannot store messages right now.";
    const long = (from: number, to: number) => ({
      ...allowing({ longWaits: [{ messageId: message.id, from, to }] }),
      waitingLines: [line],
    });
    world.answer(message);
    expect(world.kinds(long(0, 1))).toEqual([]);
    expect(world.kinds(long(1, 1))).toEqual(["silent"]);
    world.show(message, line, { peerId: "7" });
    expect(world.kinds(long(1, 2))).toEqual(["silent"]);
    world.show(message, line);
    expect(world.kinds(long(1, 3))).toEqual([]);
  });

  it("nothing in a second answer where what knew of the first is lost, and something in a third", () => {
    const world = createWorld();
    const message = world.ask();
    const lost = allowing({ repeated: new Set([message.id]) });
    world.answer(message);
    world.answer(message);
    expect(world.kinds()).toEqual(["doubled"]);
    expect(world.kinds(lost)).toEqual([]);
    world.answer(message);
    expect(world.kinds(lost)).toEqual(["doubled"]);
  });

  it("nothing in a half-written text where what knew of it is lost, and something in another one", () => {
    const world = createWorld();
    const message = world.ask();
    world.show(message, "re m");
    const [half] = world.seen();
    const lost = allowing({ unfinished: new Set([half?.key ?? ""]) });
    world.answer(message);
    expect(world.kinds()).toEqual(["corrupt"]);
    expect(world.kinds(lost)).toEqual([]);
    world.show(message, "re m");
    expect(world.kinds(lost)).toEqual(["corrupt"]);
  });

  it("nothing in a line about an answer that was sent a day ago, where nobody may try again", () => {
    const world = createWorld();
    const message = world.ask("say", "keyed");
    world.answer(message);
    world.show(message, "An answer may not have arrived.");
    expect(world.kinds()).toEqual(["doubled"]);
    expect(world.kinds(allowing({ outdated: new Set([message.id]) }))).toEqual([]);
  });

  it("nothing in what the owner had run again: answers, their order and effects", () => {
    const world = createWorld();
    const [first, second] = [world.ask("tools"), world.ask()];
    world.answer(second);
    world.answer(first);
    world.answer(first);
    world.effects.push(...["a", "a", "c"].map((step) => `call_${first.id}_${step}`));
    expect(new Set(world.kinds())).toEqual(new Set(["doubled", "misordered", "corrupt"]));
    expect(world.kinds(allowing({ rerun: new Set([first.id]) }))).toEqual([]);
  });

  it.each(["repeated", "rerun"] as const)(
    "nothing in a line about what was answered before, where that is %s, but in another one after it",
    (allowance) => {
      const world = createWorld();
      const message = world.ask("say", "editing");
      world.answer(message);
      world.show(message, "I could not answer this.");
      expect(world.kinds()).toEqual(["doubled"]);
      const allowed = allowing({ [allowance]: new Set([message.id]) });
      expect(world.kinds(allowed)).toEqual([]);
      world.show(message, "I could not answer this.");
      expect(world.kinds(allowed)).toEqual(["doubled"]);
    },
  );

  it("less policy: something of it is gone, a denied tool ran, a limit did not hold, a stranger was answered", () => {
    const world = createWorld();
    const stranger = world.ask("stranger", "plain", "666");
    expect(world.kinds()).toEqual([]);
    expect(world.kinds({ missingPolicy: ["the rule is gone"] })).toEqual(["lessPolicy"]);
    expect(world.kinds({ forbidden: ["call_m1_d"] })).toEqual(["lessPolicy"]);
    expect(world.kinds(allowing({ lessPolicy: ["a tool ran"] }))).toEqual(["lessPolicy"]);
    world.show(stranger, "I cannot store messages right now.");
    expect(world.kinds({ waitingLines: ["I cannot store messages right now."] })).toEqual(["lessPolicy"]);
  });
});
