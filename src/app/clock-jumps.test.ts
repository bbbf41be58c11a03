/** A wall clock that somebody sets, forwards or back, changes when nothing happens: everything that waits goes by the monotonic clock. */
import { createPace } from "@pincer/sdk";
import { createHandClock, createRecordingChannel, type HandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createChatPace } from "../../channels/telegram/src/chat-pace.ts";
import { createFailedSummaries } from "../agent/context/failed-summaries.ts";
import { createAccountPace } from "../channels/account-pace.ts";
import { createChannelHealth } from "../channels/channel-health.ts";
import { createDeliveryStage, peer } from "../channels/testing/delivery-stage.ts";
import { withinTime } from "../channels/within-time.ts";
import { createTokenBuckets } from "../gateway/limits/token-buckets.ts";
import { createMemoryFollower } from "../memory/following/follow-memory.ts";
import { createEffectRate } from "../policy/effect-rate.ts";
import { createSay } from "../infra/texts.ts";
import { createDebounce } from "../routing/debounce.ts";
import { superviseRun } from "../routing/supervise-run.ts";
import { createTurnTable } from "../routing/testing/turn-table.ts";

/** Begins something that takes time, and notes what happens when. With the answer it is asked at each step. */
type Scenario = (clock: HandClock, note: (what: string) => void) => Promise<(() => unknown) | void>;

const never = new AbortController().signal;
const hour = 3_600_000;
const stepMs = 250;
const steps = 160;

const scenarios: Record<string, Scenario> = {
  async "sends of one account keep their distance"(clock, note) {
    const pace = createAccountPace(clock);
    let count = 0;
    const take = (name: string) => void pace.take("bot", 1300, never).then(() => note(name));
    return () => ++count % 4 === 0 && take(`${count}`);
  },
  async "a connector keeps its pace"(clock, note) {
    const pace = createPace(clock, { everyMs: 2000, burst: 2 });
    let count = 0;
    const take = (name: string) => void pace.take(never).then(() => note(name));
    return () => ++count % 6 === 0 && take(`${count}`);
  },
  async "a chat takes one message a second"(clock, note) {
    const pace = createChatPace(clock);
    void (async () => {
      for (const name of ["a", "b", "c", "d"]) {
        await pace.turn("1", "user", never);
        note(name);
      }
    })();
  },
  async "a burst is gathered"(clock, note) {
    const debounce = createDebounce<string>({ clock });
    for (const row of ["one", "two"])
      debounce.add({ key: "ann", group: "g", windowMs: 1500 }, row, (rows) => note(rows.join()));
  },
  async "a turn ends at its deadline"(clock, note) {
    const abort = new AbortController();
    abort.signal.addEventListener("abort", () => note("aborted"));
    void superviseRun({
      turn: createTurnTable().queue("a"),
      run: () => new Promise(() => {}),
      abort,
      clock,
      deadlineMs: () => 20_000,
      graceMs: 5000,
      evict: async () => note("evicted"),
      onError: () => {},
      onLateEnd: () => {},
    });
  },
  async "a call is given up"(clock, note) {
    const stop = never;
    withinTime({ clock, ms: 7000, stop }, () => new Promise(() => {})).catch(() => note("given up"));
  },
  async "a message is sent again after its pause"(clock, note) {
    const stage = await createDeliveryStage({ clock });
    stage.network.faults.inject({ type: "fail", code: "rate-limited", retryAfterMs: 10_000 });
    stage.network.faults.inject({ type: "fail", code: "unavailable", times: 3 });
    await stage.send({ text: "one" }, { text: "two" });
    return whenMore(() => stage.seen().length, note);
  },
  async "a message of unknown outcome is repeated"(clock, note) {
    const stage = await createDeliveryStage({ clock });
    stage.network.faults.inject({ type: "close-in-send", taken: false, times: 3 });
    await stage.send({ text: "one" }, { text: "two" });
    return whenMore(() => stage.seen().length, note);
  },
  async "a growing message is edited so often"(clock, note) {
    const network = createRecordingChannel({ abilities: { edit: true } });
    const stage = await createDeliveryStage({ clock, networks: [network] });
    let length = 1;
    return () => {
      const draft = {
        destination: peer("ann"),
        kind: "preview" as const,
        turnId: "turn",
        text: "x".repeat(length++),
        attachments: [],
        replyTo: null,
        notAfter: new Date(clock.now() + hour).toISOString(),
        dedupeKey: null,
      };
      void stage.stores.outbox.preview(draft).then((row) => {
        stage.deliverer().wake([row]);
        note(String(stage.seen()[0]?.length));
      });
    };
  },
  async "an account is taken for deaf"(clock, note) {
    const account = { channel: "pigeon", accountId: "default" };
    const connection = { send: async () => ({}), close: async () => {}, heartbeatSeconds: 5 };
    const health = createChannelHealth({
      clock,
      deafMs: () => 20_000,
      connection: () => connection,
      onChange: (_, { health: colour }) => note(colour),
    });
    health.onState({ ...account, state: "connected", reason: undefined, since: "" });
    health.onSign(account, { type: "alive" });
    void health.watch(never);
  },
  async "a rate is kept"(clock, note) {
    const buckets = createTokenBuckets({ clock, perMinute: () => 10 });
    for (let count = 0; count < 10; count++) buckets.take("a");
    return () => void (buckets.take("a").ok && note("taken"));
  },
  async "messages of an agent are counted by the minute"(clock, note) {
    const limits = () => ({ messagesPerMinute: 3, deletedFiles: 1 });
    const rate = createEffectRate({ clock, limits, say: createSay("en") });
    return () => void (rate.take("main", "message").ok && note("sent"));
  },
  async "a failed summary rests"(clock, note) {
    const failed = createFailedSummaries({
      clock,
      notices: { add: () => new Promise(() => {}) },
      onError: () => {},
    });
    failed.failed({ sessionId: "s", sessionKey: "k" }, "no words");
    return () => void (failed.isResting("s") && note("rests"));
  },
  async "memory follows a conversation"(clock, note) {
    const bring = async () => note("brought");
    const follower = createMemoryFollower({ clock, bring, onError: () => {} });
    follower.said("session");
  },
};

const whenMore = (count: () => number, note: (what: string) => void) => {
  let seen = 0;
  return () => {
    while (seen < count()) note(`${++seen}`);
  };
};

async function happenings(scenario: Scenario, jumps: readonly number[]): Promise<string[]> {
  const clock = createHandClock();
  const begun = clock.monotonic();
  const seen: string[] = [];
  const look = await scenario(clock, (what) => seen.push(`${what} at ${clock.monotonic() - begun}`));
  for (let step = 0; step < steps; step++) {
    clock.jump(jumps[step % jumps.length] ?? 0);
    await clock.advance(stepMs);
    await new Promise((resolve) => setImmediate(resolve));
    look?.();
  }
  return seen;
}

it.each(Object.keys(scenarios))("%s, however the wall clock is set", async (name) => {
  const scenario = scenarios[name] ?? (async () => {});
  const undisturbed = await happenings(scenario, [0]);
  expect(undisturbed).not.toEqual([]);
  const jump = fc.oneof(
    fc.constant(0),
    fc.integer({ min: -48 * hour, max: 48 * hour }),
    fc.integer({ min: -5000, max: 5000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(jump, { minLength: 1, maxLength: 12 }), async (jumps) => {
      expect(await happenings(scenario, jumps)).toEqual(undisturbed);
    }),
    { numRuns: 6, examples: [[[-hour]], [[hour]]] },
  );
});
