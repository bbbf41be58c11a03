import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rebuildFiles } from "./power-loss.ts";
import { createRandom } from "./random.ts";
import type { TraceEvent } from "./strace-log.ts";

type Untimed<Event> = Event extends unknown ? Omit<Event, "begun" | "ended"> : never;

const timed = (events: Array<Untimed<TraceEvent>>): TraceEvent[] =>
  events.map((event, index) => ({ ...event, begun: index, ended: index }) as TraceEvent);
const write = (text: string, offset: number | undefined, path = "/h/f") =>
  ({ type: "write", path, offset, data: Buffer.from(text) }) as const;
const sync = (path = "/h/f") => ({ type: "sync", path }) as const;
const create = (path: string, append = false) =>
  ({ type: "open", path, create: true, truncate: false, append }) as const;

function rebuild(events: Array<Untimed<TraceEvent>>, seed: number, cut = events.length, before = "") {
  const files = rebuildFiles({
    root: "/h",
    before: new Map([["/h/f", Buffer.from(before)]]),
    events: timed(events),
    cut,
    random: createRandom(seed),
  });
  return new Map([...files].map(([path, bytes]) => [path, bytes.toString()]));
}

/** What may be there, over many chances. */
const outcomes = (events: Array<Untimed<TraceEvent>>, path = "/h/f") =>
  new Set(Array.from({ length: 200 }, (_, seed) => rebuild(events, seed).get(path)));

describe("after a power loss", () => {
  it("everything that was synced is there, whatever was written", () => {
    const step = fc.oneof(
      fc.tuple(fc.string({ minLength: 1, maxLength: 9 }), fc.nat(20)).map(([text, at]) => write(text, at)),
      fc.nat(20).map((length) => ({ type: "truncate" as const, path: "/h/f", length })),
    );
    fc.assert(
      fc.property(fc.array(step), fc.nat(), (steps, seed) => {
        const one = rebuild([...steps, sync()], seed);
        expect(one).toEqual(rebuild([...steps, sync()], seed + 1));
        const file = Buffer.alloc(64);
        let length = 0;
        for (const event of steps) {
          if (event.type === "truncate") {
            file.fill(0, Math.min(length, event.length));
            length = event.length;
          } else {
            event.data.copy(file, event.offset);
            length = Math.max(length, (event.offset ?? 0) + event.data.length);
          }
        }
        expect(one.get("/h/f")).toBe(file.subarray(0, length).toString());
      }),
    );
  });

  it("what was written after the last sync may be there or not, in any choice", () => {
    const events = [write("aaaa", 0), sync(), write("BB", 0), write("CC", 2)];
    expect(outcomes(events)).toEqual(new Set(["aaaa", "BBaa", "aaCC", "BBCC"]));
  });

  it("a sync counts only for what was written before it began, and only when it has ended", () => {
    const late: TraceEvent[] = [
      { ...write("old!", 0), begun: 0, ended: 1 },
      { ...sync(), begun: 2, ended: 5 },
      { ...write("NEW!", 0), begun: 3, ended: 4 },
    ];
    const texts = (cut: number) =>
      new Set(
        Array.from({ length: 100 }, (_, seed) =>
          rebuildFiles({
            root: "/h",
            before: new Map([["/h/f", Buffer.alloc(0)]]),
            events: late,
            cut,
            random: createRandom(seed),
          })
            .get("/h/f")
            ?.toString(),
        ),
      );
    expect(texts(6)).toEqual(new Set(["old!", "NEW!"]));
    expect(texts(5)).toContain("");
  });

  it("a large write may be torn at the disk's sectors", () => {
    const large = "x".repeat(2048);
    const torn = [...outcomes([write(large, 0)])].filter((text) => text !== "" && text !== large);
    expect(torn.length).toBeGreaterThan(0);
    for (const text of torn) expect((text ?? "").length % 512).toBe(0);
  });

  it("what is appended is there up to some point, and nothing behind a gap", () => {
    const events = [
      create("/h/log", true),
      sync("/h"),
      ...["one\n", "two\n", "three\n"].map((line) => write(line, undefined, "/h/log")),
    ];
    const whole = "one\ntwo\nthree\n";
    for (const text of outcomes(events, "/h/log")) expect(whole.startsWith(text ?? "?")).toBe(true);
    expect(outcomes(events, "/h/log").size).toBeGreaterThan(3);
  });

  it("a new file is there once it, or its directory, was synced; before that perhaps", () => {
    expect(outcomes([create("/h/new")], "/h/new")).toEqual(new Set([undefined, ""]));
    expect(outcomes([create("/h/new"), sync("/h")], "/h/new")).toEqual(new Set([""]));
    expect(outcomes([create("/h/new"), write("x", 0, "/h/new"), sync("/h/new")], "/h/new")).toEqual(
      new Set(["x"]),
    );
  });

  it("names reach the disk in order, and a rename takes the content along", () => {
    const events = [
      create("/h/a.tmp"),
      write("new", 0, "/h/a.tmp"),
      sync("/h/a.tmp"),
      { type: "rename", from: "/h/a.tmp", to: "/h/f" } as const,
      { type: "unlink", path: "/h/f" } as const,
    ];
    expect(outcomes(events)).toEqual(new Set(["", "new", undefined]));
    expect(outcomes([...events.slice(0, 4), sync("/h")])).toEqual(new Set(["new"]));
  });

  it("what happened after the cut, or elsewhere, did not happen", () => {
    const events = [write("a", 0), sync(), write("b", 0), sync(), write("c", 0, "/elsewhere")];
    expect(rebuild(events, 1, 2)).toEqual(new Map([["/h/f", "a"]]));
  });
});
