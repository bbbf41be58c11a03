import { describe, expect, it } from "vitest";
import { createOwnMessages } from "./own-messages.ts";

const sent = (data: object, ok = true) => ({ ok, data });

describe("what a turn has said here itself", () => {
  it("ROUTE-15 is not shown a second time while it is repeated, however it is spaced", () => {
    const { note, mayRepeat } = createOwnMessages();
    note("message", sent({ isOwn: true, text: "Here it is: as asked." }));
    expect(["Here", "Here it  is", "here it is:\n\nas asked."].map(mayRepeat)).toEqual([true, true, true]);
    expect(["There", "Here it was", "Here it is: as asked. And more"].map(mayRepeat)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([
    ["somebody else was told", "message", sent({ isOwn: false })],
    ["it was not sent", "message", sent({ isOwn: true, text: "Here" }, false)],
    ["another tool has such a result", "echo", sent({ isOwn: true, text: "Here" })],
    ["nothing came of it", "message", { ok: true }],
  ])("ROUTE-15 is nothing where %s", (_, name, result) => {
    const { note, mayRepeat } = createOwnMessages();
    note(name, result);
    expect(mayRepeat("He")).toBe(false);
  });
});
