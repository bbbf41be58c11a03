import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readInput } from "./read-input.ts";
import { expandSwitches } from "./switch-arguments.ts";
import { displayWidth, table } from "./table.ts";

const never = new AbortController().signal;
const piped = (...chunks: Array<string | Buffer>) => Readable.from(chunks);
const atTerminal = () => Object.assign(piped("typed"), { isTTY: true });

describe("the input of ask", () => {
  it("CLI-25 comes from the arguments, or from stdin", async () => {
    const typed = { input: "hello there", typed: true, pasted: [] };
    expect(await readInput(["hello", "there"], atTerminal(), never)).toEqual(typed);
    const stdin = { input: "from stdin", typed: false, pasted: [{ start: 0, end: 10 }] };
    expect(await readInput([], piped("from", " stdin\r\n"), never)).toEqual(stdin);
    expect(await readInput(["-"], piped("dash"), never)).toEqual({
      input: "dash",
      typed: false,
      pasted: [{ start: 0, end: 4 }],
    });
  });

  it("CLI-25 takes what is piped in beside the arguments for pasted, and not for the question", async () => {
    const diff = Object.assign(piped("-one\n+two\n"), { isPiped: true });
    expect(await readInput(["what", "is", "this?"], diff, never)).toEqual({
      input: "what is this?\n\n-one\n+two",
      typed: true,
      pasted: [{ start: 13, end: 24 }],
    });
    const empty = Object.assign(piped(), { isPiped: true });
    expect(await readInput(["hello"], empty, never)).toEqual({ input: "hello", typed: true, pasted: [] });
    // A script's own stdin, which is no pipe, is left to the script.
    expect(await readInput(["hello"], piped("for the loop"), never)).toEqual({
      input: "hello",
      typed: true,
      pasted: [],
    });
  });

  it("CLI-25 keeps characters whole that arrive in pieces, drops a byte-order mark and outer blank space", async () => {
    const bytes = Buffer.from("\uFEFF 你好\r\nworld \n");
    const read = await readInput([], piped(bytes.subarray(0, 5), bytes.subarray(5)), never);
    expect(read.input).toBe("你好\nworld");
  });

  it.each([
    ["no words at a terminal", [], atTerminal()],
    ["an empty argument", [""], atTerminal()],
    ["blank words", ["  ", ""], atTerminal()],
    ["an empty stdin", [], piped("\n ")],
  ])("CLI-03 is refused as empty with %s", async (_name, words, stdin) => {
    await expect(readInput(words as string[], stdin, never)).rejects.toMatchObject({
      code: "usage/empty-input",
    });
  });

  it("ends when it is interrupted while stdin stays open", async () => {
    const interrupt = new AbortController();
    const reading = readInput([], new Readable({ read() {} }), interrupt.signal);
    interrupt.abort(new Error("interrupted"));
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });

  it("is refused when it is far too large", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    await expect(readInput([], piped(chunk, chunk, chunk, chunk, chunk), never)).rejects.toThrow(
      /larger than/,
    );
  });
});

describe("switches", () => {
  it("CLI-08 take on and off after an equals sign only", () => {
    expect(expandSwitches(["ask", "--memory=on", "hi"])).toEqual(["ask", "--memory", "hi"]);
    expect(expandSwitches(["ask", "--memory=off"])).toEqual(["ask", "--no-memory"]);
    expect(expandSwitches(["ask", "--memory", "off"])).toEqual(["ask", "--memory", "off"]);
    expect(expandSwitches(["ask", "--session=on"])).toEqual(["ask", "--session=on"]);
    expect(expandSwitches(["ask", "--", "--memory=on"])).toEqual(["ask", "--", "--memory=on"]);
  });

  it("CLI-08 refuse anything else", () => {
    expect(() => expandSwitches(["ask", "--memory=maybe"])).toThrow('--memory takes on or off, not "maybe".');
  });
});

describe("tables", () => {
  it("align columns, with wide characters counted twice", () => {
    expect(displayWidth("你好a")).toBe(5);
    expect(
      table([
        ["你好", "x"],
        ["abc", "y"],
      ]),
    ).toBe("你好  x\nabc   y\n");
  });
});
