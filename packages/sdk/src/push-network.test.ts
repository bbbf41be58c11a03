/** What connectors of networks that push, and speak in lines, share. */
import { describe, expect, it } from "vitest";
import { createConnectionLife } from "./connection-life.ts";
import { watchLines } from "./endless-line.ts";
import { createHearing } from "./hearing.ts";
import { keepAsking } from "./heartbeat.ts";
import { createLineSender, type LineNetwork } from "./line-sender.ts";
import { createPace } from "./pace.ts";
import { createRecent } from "./recent.ts";
import { SendError } from "./send-error.ts";
import { createHandClock } from "./testing/index.ts";

describe("hearing", () => {
  it("tells one listener everything in order, also what came before it listened", () => {
    const hearing = createHearing<number>();
    hearing.tell(1);
    const heard: number[] = [];
    hearing.listen((message) => heard.push(message));
    hearing.tell(2);
    expect(heard).toEqual([1, 2]);
  });

  it("keeps a limited number of messages for a listener that never comes", () => {
    const hearing = createHearing<number>();
    for (let count = 0; count < 5000; count++) hearing.tell(count);
    let heard = 0;
    hearing.listen(() => void heard++);
    expect(heard).toBe(2000);
  });

  it("answers a question with what was said until its answer, and nobody else's", async () => {
    const hearing = createHearing<string>();
    const steps: string[] = [];
    const ask = (token: string, act?: () => Promise<void>) =>
      hearing.exchange({
        ...(act && { act }),
        ask: () => void steps.push(`ask ${token}`),
        isAnswer: (message) => message === `pong ${token}`,
        signal: new AbortController().signal,
      });
    const one = ask("1", async () => void steps.push("act"));
    const two = ask("2");
    await Promise.resolve();
    for (const message of ["noise", "pong 2", "pong 1", "later"]) hearing.tell(message);
    expect(await one).toEqual(["noise", "pong 2", "pong 1"]);
    expect(await two).toEqual(["noise", "pong 2"]);
    expect(steps).toEqual(expect.arrayContaining(["act", "ask 1", "ask 2"]));
  });

  it("asks nothing once its signal has aborted, and leaves no listener on it", async () => {
    const hearing = createHearing<string>();
    const stopping = new AbortController();
    let asked = 0;
    const question = { ask: () => void asked++, isAnswer: () => false, signal: stopping.signal };
    const waiting = hearing.exchange(question);
    await Promise.resolve();
    stopping.abort(new Error("over"));
    await expect(waiting).rejects.toThrow("over");
    await expect(hearing.exchange(question)).rejects.toThrow("over");
    expect(asked).toBe(1);
    const failing = async () => {
      stopping.abort();
      throw new Error("the act failed");
    };
    await expect(hearing.exchange({ ...question, act: failing })).rejects.toThrow("the act failed");
  });
});

describe("asking again and again", () => {
  it("notices when no answer has come by the next time, and stops", async () => {
    const clock = createHandClock();
    const { signal } = new AbortController();
    const events: string[] = [];
    let isDeaf = false;
    const done = keepAsking(clock, {
      everyMs: 1000,
      ask: () => (isDeaf ? new Promise(() => {}) : Promise.resolve()),
      onAnswer: (count) => void events.push(`answer ${count}`),
      onSilence: () => void events.push("silence"),
      signal,
    });
    await clock.advance(2000);
    expect(events).toEqual(["answer 1", "answer 2"]);
    isDeaf = true;
    await clock.advance(2000);
    await done;
    expect(events.at(-1)).toBe("silence");
  });

  it("counts a question that fails as silence, and ends with its signal", async () => {
    const clock = createHandClock();
    const stopping = new AbortController();
    let silences = 0;
    const parts = { everyMs: 1000, onSilence: () => void silences++, signal: stopping.signal };
    const failing = keepAsking(clock, { ...parts, ask: () => Promise.reject(new Error("no")) });
    await clock.advance(1000);
    await failing;
    expect(silences).toBe(1);
    const stopped = keepAsking(clock, { ...parts, ask: () => new Promise(() => {}) });
    stopping.abort();
    await stopped;
    expect(silences).toBe(1);
  });
});

describe("the life of a connection", () => {
  const ending = new SendError("unavailable", "the server went away");
  function live() {
    const stopping = new AbortController();
    const lost: string[] = [];
    const life = createConnectionLife({ signal: stopping.signal, lost: (reason) => void lost.push(reason) });
    return { life, lost, stopping };
  }

  it("tells the host once of an end that nobody wished for", async () => {
    const { life, lost } = live();
    life.open();
    await life.opened;
    life.end(ending);
    life.end(new SendError("closed", "again"));
    expect(lost).toEqual(["the server went away"]);
    expect(life.ended.reason).toBe(ending);
    life.open();
    expect(life.state()).toBe("over");
  });

  it("reports an end before it was open to the caller that waits for it, and not to the host", async () => {
    const { life, lost } = live();
    life.end(ending);
    await expect(life.opened).rejects.toBe(ending);
    expect(lost).toEqual([]);
  });

  it("ends with its host, which need not be told", () => {
    const { life, lost, stopping } = live();
    life.open();
    stopping.abort();
    expect(life.state()).toBe("over");
    expect(lost).toEqual([]);
    const late = createConnectionLife({ signal: stopping.signal, lost: () => {} });
    expect(late.state()).toBe("over");
  });
});

describe("sending lines", () => {
  const message = {
    channel: "pigeon",
    accountId: "default",
    target: { peerKind: "user" as const, peerId: "ann" },
    response: { text: "one two three", attachments: [] },
  };
  const attempt = () => ({ idempotencyKey: "k", attempt: 1, signal: new AbortController().signal });
  function stage(more: Partial<LineNetwork> = {}) {
    const clock = createHandClock();
    const written: string[] = [];
    const ended = new AbortController();
    const pace = createPace(clock, { everyMs: 1000, burst: 2 });
    const network: LineNetwork = {
      addressOf: async ({ peerId }) => peerId,
      linesOf: (text) => text.split(/\s+/).filter(Boolean),
      write: (address, line) => void written.push(`${address} ${line}`),
      confirm: async (_address, act) => act(),
      ...more,
    };
    return { clock, written, ended, send: createLineSender(network, { pace, ended: ended.signal }) };
  }

  it("writes them at the pace, with the names of files, and is done when the network is", async () => {
    const { clock, written, send } = stage();
    const file = { kind: "file" as const, media: "m", mimeType: "text/plain", name: "a.txt" };
    const done = send({ ...message, response: { text: "one two", attachments: [file] } }, attempt());
    await expect.poll(() => written).toEqual(["ann one", "ann two"]);
    await clock.advance(1000);
    expect(await done).toEqual({});
    expect(written.at(-1)).toBe("ann [a.txt]");
  });

  it("says whether anything had left when the connection ended", async () => {
    const { written, ended, send } = stage();
    const sending = send(message, attempt());
    await expect.poll(() => written).toHaveLength(2);
    ended.abort(new Error("gone"));
    await expect(sending).rejects.toMatchObject({ code: "closed" });
    await expect(send(message, attempt())).rejects.toMatchObject({ code: "unavailable" });
  });

  it("passes on what the network refuses, and sends nothing that it cannot show", async () => {
    const refusing = stage({ confirm: () => Promise.reject(new SendError("rejected", "not there")) });
    await expect(refusing.send(message, attempt())).rejects.toMatchObject({ message: "not there" });
    const { send, written } = stage({ linesOf: () => [] });
    await expect(send(message, attempt())).rejects.toMatchObject({ code: "rejected" });
    expect(written).toEqual([]);
  });
});

describe("small things", () => {
  it("an endless line is noticed, many short ones are not", () => {
    let endless = 0;
    const watch = watchLines(10, () => void endless++);
    for (let count = 0; count < 100; count++) watch(Buffer.from("12345\n123"));
    expect(endless).toBe(0);
    watch(Buffer.from("12345678"));
    expect(endless).toBe(1);
  });

  it("what was said lately forgets the oldest first", () => {
    const recent = createRecent<number>(2);
    for (const [key, value] of [
      ["a", 1],
      ["b", 2],
      ["a", 3],
      ["c", 4],
    ] as const)
      recent.set(key, value);
    expect(["a", "b", "c"].map((key) => recent.get(key))).toEqual([3, undefined, 4]);
  });
});
