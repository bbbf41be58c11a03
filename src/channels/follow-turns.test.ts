import { expect, it } from "vitest";
import type { TurnEvent } from "../agent/turn-voice.ts";
import type { PreviewTurn, Previews } from "./previews.ts";
import type { TurnRecord } from "../storage/turns/turns.ts";
import { followTurns } from "./follow-turns.ts";

it("SEC-02 shows no address that a network would look at while an answer grows", () => {
  const grown: string[] = [];
  let shown: PreviewTurn["shown"];
  const previews: Previews = {
    forTurn(turn) {
      ({ shown } = turn);
      return { grow: (text) => void grown.push(text), close: async () => {} };
    },
  };
  const watch = followTurns({ previews }, () => {});
  const destination = {
    channel: "telegram",
    accountId: "main",
    target: { peerKind: "user" as const, peerId: "42" },
  };
  const turn = { turnId: "t1", destination, replyTo: null } as TurnRecord;
  watch.begun?.(turn, {} as never);
  watch.event?.(turn, { type: "text-delta", text: "See https://evil.example/" });
  watch.event?.(turn, { type: "text-delta", text: "secret" });
  // The consumer looks for addresses: at each word it would take longer the more there is.
  expect(grown).toEqual(["See https://evil.example/", "See https://evil.example/secret"]);
  expect(grown.map((text) => shown?.(text))).toEqual([
    "See hxxps://evil[.]example/",
    "See hxxps://evil[.]example/secret",
  ]);
});

const destination = {
  channel: "pigeon",
  accountId: "main",
  target: { peerKind: "user" as const, peerId: "42" },
};
const turnOf = (turnId: string, role = "owner") =>
  ({ turnId, destination, replyTo: null, person: { role, id: "pigeon:42" } }) as TurnRecord;
const question = { id: "K7Q2MP" } as Extract<TurnEvent, { type: "approval-asked" }>["approval"];

function watchTyping() {
  let shown = 0;
  const previews: Previews = { forTurn: () => ({ grow() {}, close: async () => {} }) };
  const typing = {
    show() {
      shown += 1;
      return () => void (shown -= 1);
    },
  };
  return {
    watch: followTurns({ previews, typing }, () => {}),
    isShown: () => shown === 1,
    count: () => shown,
  };
}

it("CHAN-25 shows that somebody writes while a turn runs, and not while the owner is asked", async () => {
  const { watch, isShown, count } = watchTyping();
  const turn = turnOf("t1");
  watch.begun?.(turn, {} as never);
  expect(isShown()).toBe(true);
  watch.event?.(turn, { type: "approval-asked", approval: question });
  watch.event?.(turn, { type: "approval-asked", approval: question });
  expect(count()).toBe(0);
  watch.event?.(turn, { type: "approval-answered", id: "K7Q2MP", state: "approved" });
  expect(isShown()).toBe(true);
  await watch.ending?.(turn);
  await watch.ending?.(turn);
  expect(count()).toBe(0);
});

it("CHAN-25 takes the sign away from a turn that was left behind, and from one that begins anew", () => {
  const { watch, count } = watchTyping();
  watch.begun?.(turnOf("t1"), {} as never);
  watch.begun?.(turnOf("t1"), {} as never);
  expect(count()).toBe(1);
  watch.over("t1");
  watch.over("t1");
  expect(count()).toBe(0);
});

it("CHAN-25 shows nothing for turns that Pincer started by itself", () => {
  const { watch, count } = watchTyping();
  watch.begun?.(turnOf("t1", "system"), {} as never);
  expect(count()).toBe(0);
});

it("CHAN-01 takes the sign from a message when its turn ends, is left behind or begins anew", async () => {
  const signs: string[] = [];
  const previews: Previews = { forTurn: () => ({ grow() {}, close: async () => {} }) };
  const working = {
    put(_destination: unknown, turnId: string) {
      signs.push(`put ${turnId}`);
      return () => void signs.push(`take ${turnId}`);
    },
  };
  const watch = followTurns({ previews, working }, () => {});
  watch.begun?.(turnOf("t1"), {} as never);
  await watch.ending?.(turnOf("t1"));
  watch.begun?.(turnOf("t2"), {} as never);
  watch.begun?.(turnOf("t2"), {} as never);
  watch.over("t2");
  expect(signs).toEqual(["put t1", "take t1", "put t2", "take t2", "put t2", "take t2"]);
});
