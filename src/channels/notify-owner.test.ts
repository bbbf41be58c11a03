import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createReplies } from "./replies.ts";
import { createIds } from "../infra/ids.ts";
import { createRedactor } from "../infra/redactor.ts";
import { createSay } from "../infra/texts.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { createNotifier, type NotifierParts } from "./notify-owner.ts";

function makeNotifier(to: string | undefined, wordsOf?: NonNullable<NotifierParts["wordsOf"]>) {
  const clock = createHandClock();
  const { notices, outbox } = createMemoryStores({ clock, ids: createIds(() => clock.now()) }).tenant("acme");
  const redactor = createRedactor();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const place = { to };
  const notifier = createNotifier({
    notices,
    replies: createReplies({ traitsOf: () => ({ textLimit: 4000 }), clock, notAfterMs: 60_000 }),
    say: createSay("en"),
    to: () => place.to,
    wake: () => undefined,
    log,
    redactor,
    ...(wordsOf && { wordsOf }),
  });
  const add = (subject: string, how = "aborted") =>
    notices.add({
      kind: "turn-failed",
      subject,
      text: { key: "notice.turn-failed", parameters: { turnId: subject, how } },
    });
  const settle = async () => {
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const told = async () => (await outbox.list({ limit: 100 })).map(({ destination }) => destination);
  return { notifier, notices, outbox, redactor, place, add, settle, told };
}

describe("notices for the owner", () => {
  it("are sent to an id that has colons of its own, and to an account if one is named", async () => {
    const cases = {
      "telegram:42": ["telegram", "default", "42"],
      "matrix:@ann:example.org": ["matrix", "default", "@ann:example.org"],
      "matrix/work:@ann:example.org": ["matrix", "work", "@ann:example.org"],
    };
    for (const [to, [channel, accountId, peerId]] of Object.entries(cases)) {
      const { notifier, add, settle, told } = makeNotifier(to);
      await add("turn:1");
      notifier.look();
      await settle();
      expect(await told()).toEqual([{ channel, accountId, target: { peerKind: "user", peerId } }]);
    }
  });

  it("are all sent, however many have gathered, and those that come meanwhile too", async () => {
    const { notifier, notices, add, settle, told } = makeNotifier("telegram:42");
    for (let number = 0; number < 45; number++) await add(`turn:${number}`);
    notifier.look();
    await add("turn:late");
    notifier.look();
    await settle();
    expect(await told()).toHaveLength(46);
    expect(await notices.untold(5)).toEqual([]);
    await add("turn:later");
    notifier.look();
    await settle();
    expect(await told()).toHaveLength(47);
  });

  it("wait while nobody is named, and come when somebody is", async () => {
    const { notifier, place, add, settle, told } = makeNotifier(undefined);
    await add("turn:1");
    for (const to of [undefined, "", "telegram", ":42", "telegram:", "telegram/:42"]) {
      place.to = to;
      notifier.look();
      await settle();
    }
    expect(await told()).toEqual([]);
    place.to = "telegram:42";
    notifier.look();
    await settle();
    expect(await told()).toHaveLength(1);
  });

  it("SEC-01 hold no secret", async () => {
    const { notifier, outbox, redactor, add, settle } = makeNotifier("telegram:42");
    redactor.add("bot", "123:abcdef");
    await add("turn:1", "refused 123:abcdef");
    notifier.look();
    await settle();
    const [row] = await outbox.list({ limit: 1 });
    expect(row?.text).toContain("[secret:bot]");
    expect(row?.text).not.toContain("123:abcdef");
  });

  it("SAFE-02 have words and something to press of their own where they ask, and are not told when that is settled", async () => {
    const actions = [{ label: "Yes", send: "/approve K7" }];
    const { notifier, notices, outbox, redactor, add, settle } = makeNotifier(
      "telegram:42",
      async ({ subject }) =>
        subject === "open"
          ? { text: "May I? 123:abcdef", actions }
          : subject === "settled"
            ? subject
            : undefined,
    );
    redactor.add("bot", "123:abcdef");
    for (const subject of ["open", "settled", "other"]) await add(subject);
    notifier.look();
    await settle();
    const rows = (await outbox.list({ limit: 9 })).reverse();
    expect(rows.map((row) => row.actions)).toEqual([actions, undefined]);
    expect(rows[0]?.text).toBe("May I? [secret:bot]");
    expect(rows[1]?.text).toContain("other");
    expect(await notices.untold(9)).toEqual([]);
  });
});
