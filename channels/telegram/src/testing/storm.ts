/** Faults in any order while people write and answers go out, and what came of it. */
import { SendError } from "@pincer/sdk";
import * as fc from "fast-check";
import type { Fault } from "./bot-api-faults.ts";
import { attempt, createTelegramStage, type TelegramStage } from "./telegram-stage.ts";

/** They may come at any time, on any method. */
const faults: Fault[] = [
  { type: "conflict" },
  { type: "rate-limited", retryAfter: 3 },
  { type: "server-error", status: 500 },
  { type: "html-page", status: 502 },
  { type: "html-page", status: 504, after: true },
  { type: "half-open" },
  { type: "stalled-body" },
  { type: "slow-body" },
  { type: "lost-answer" },
  { type: "reset" },
  { type: "reset-in-body" },
  { type: "truncated-json" },
  { type: "not-the-shape", result: null },
  { type: "redirect" },
  { type: "doubled-updates" },
  { type: "reversed-updates" },
  { type: "forgotten-offset" },
  { type: "junk-updates" },
  { type: "no-long-poll" },
];

export const weather = fc.array(
  fc.record({
    fault: fc.constantFrom(...faults),
    method: fc.constantFrom("getUpdates", "sendMessage", "getMe", undefined),
    seconds: fc.integer({ min: 1, max: 20 }),
  }),
  { minLength: 4, maxLength: 12 },
);

export interface Aftermath {
  written: string[];
  received: string[];
  /** What people see of the answers. */
  seen: string[];
  /** Answers that certainly arrived, and those with an unknown outcome. */
  certainly: number;
  perhaps: number;
}

/** Throws where what was written is not there half a minute after the last fault. */
export async function rideOut(
  squalls: Array<{ fault: Fault; method: string | undefined; seconds: number }>,
): Promise<Aftermath> {
  const stage = await createTelegramStage();
  try {
    const ann = stage.fake.people.person(1001, "Ann");
    const after: Aftermath = { written: [], received: [], seen: [], certainly: 0, perhaps: 0 };
    for (const { fault, method, seconds } of squalls) {
      const trouble = stage.fake.faults.begin(fault, { method });
      const text = `message ${after.written.length}`;
      after.written.push(text);
      stage.fake.people.dm(ann, { text });
      const outcome = await stage.within(trySend(stage, `answer to ${text}`));
      if (outcome === "sent") after.certainly += 1;
      if (outcome === "closed") after.perhaps += 1;
      await stage.pass(seconds * 1000);
      trouble.end();
    }
    await stage.until(() => stage.host.received.length >= after.written.length, 30_000);
    await stage.pass(2000);
    return { ...after, received: stage.texts(), seen: stage.fake.people.seen(1001) };
  } finally {
    await stage.close();
  }
}

/** Like the host: with a time limit, and only with a connection. */
async function trySend(stage: TelegramStage, text: string): Promise<"sent" | "closed" | "not-sent"> {
  const late = new AbortController();
  const timer = stage.clock.sleep(20_000, late.signal).then(
    () => late.abort(),
    // It was done in time.
    () => undefined,
  );
  try {
    const target = { peerKind: "user" as const, peerId: "1001" };
    const message = {
      channel: "telegram",
      accountId: "default",
      target,
      response: { text, attachments: [] },
    };
    await stage.connection().send(message, { ...attempt(text), signal: late.signal });
    return "sent";
  } catch (error) {
    return error instanceof SendError && error.code === "closed" ? "closed" : "not-sent";
  } finally {
    late.abort();
    await timer;
  }
}
