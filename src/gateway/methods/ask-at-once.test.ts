import { describe, expect, it } from "vitest";
import type { TurnStop } from "../../agent/turn-run.ts";
import type { BeginTurn, BegunTurn, TurnRecord } from "../../storage/turns/turns.ts";
import type { AskInput, QueuedAsk } from "../../routing/ask-turn.ts";
import { askAtOnce, type AskAtOnceParts } from "./ask-at-once.ts";

const turn = { turnId: "r1" } as TurnRecord;
const begun = { fence: { name: "s", fencing: 1 } } as BegunTurn;
const input = { input: "hello" } as AskInput;
const session = { workspaceId: "w", sessionKey: "main" };

/** The store begins a turn where it is allowed to, unless `queue` says otherwise. */
function stage({
  hasPlace = true,
  stop,
  queue,
}: { hasPlace?: boolean; stop?: TurnStop["by"]; queue?: () => Promise<QueuedAsk> } = {}) {
  const log: string[] = [];
  function leave() {
    log.push("leave");
    return stop;
  }
  const parts: AskAtOnceParts = {
    engine: {
      beginning: () => ({ turnId: "r1" }) as BeginTurn,
      async queue(_input, mayBegin) {
        const beginning = mayBegin?.(session, "r1");
        if (queue) return queue();
        return { turn, duplicate: false, joined: false, begun: beginning && begun };
      },
    },
    lanes: {
      offer: ({ turnId }) => void log.push(`offer ${turnId}`),
      async abort(turnId, by) {
        log.push(`abort ${turnId} ${by}`);
        return true;
      },
      reserve: (workspaceId, sessionKey, turnId) => {
        log.push(`reserve ${workspaceId} ${sessionKey} ${turnId}`);
        if (!hasPlace) return undefined;
        return { run: ({ turnId: ran }) => void log.push(`run ${ran}`), leave };
      },
    },
  };
  return { parts, log };
}

const loop = () => new Promise((resolve) => setImmediate(resolve));

describe("a question that somebody waits for", () => {
  it("is begun with the transaction that stores it, and run once it is let", async () => {
    const { parts, log } = stage();
    const asked = await askAtOnce(parts, input);
    expect(log).toEqual(["reserve w main r1"]);
    asked.start();
    asked.start();
    await loop();
    expect(log).toEqual(["reserve w main r1", "run r1"]);
  });

  it("runs also where whoever asked never lets it", async () => {
    const { parts, log } = stage();
    await askAtOnce(parts, input);
    await loop();
    expect(log).toEqual(["reserve w main r1", "run r1"]);
  });

  it("waits its turn where its lane is busy", async () => {
    const { parts, log } = stage({ hasPlace: false });
    (await askAtOnce(parts, input)).start();
    expect(log).toEqual(["reserve w main r1", "offer r1"]);
  });

  it("gives its place back where it did not begin, and is offered then", async () => {
    const queued = async (): Promise<QueuedAsk> => ({ turn, duplicate: false, joined: true });
    const { parts, log } = stage({ queue: queued });
    (await askAtOnce(parts, input)).start();
    expect(log).toEqual(["reserve w main r1", "leave", "offer r1"]);
  });

  it("stays stopped where it was stopped while it was stored, and could not begin", async () => {
    const queue = async (): Promise<QueuedAsk> => ({ turn, duplicate: false, joined: false });
    const { parts, log } = stage({ stop: "client", queue });
    (await askAtOnce(parts, input)).start();
    expect(log).toEqual(["reserve w main r1", "leave", "offer r1", "abort r1 client"]);
  });

  it("gives its place back where it was asked before, and runs nothing", async () => {
    const { parts, log } = stage({ queue: async () => ({ turn, duplicate: true, joined: false }) });
    (await askAtOnce(parts, input)).start();
    await loop();
    expect(log).toEqual(["reserve w main r1", "leave"]);
  });

  it("gives its place back where it could not be stored", async () => {
    const { parts, log } = stage({ queue: () => Promise.reject(new Error("the disk is full")) });
    await expect(askAtOnce(parts, input)).rejects.toThrow("the disk is full");
    expect(log).toEqual(["reserve w main r1", "leave"]);
  });
});
