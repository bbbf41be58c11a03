import { afterEach, describe, expect, it, vi } from "vitest";
import { withLentGlobals } from "./library-globals.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const answering = (text: string): typeof globalThis.fetch => vi.fn(async () => new Response(text));
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("globals lent to a library", () => {
  it("are its own for as long as the call runs, and nobody else's", async () => {
    vi.stubGlobal("fetch", answering("the process"));
    const said = async () => (await fetch("http://x/")).text();
    const late = async () => {
      await turn();
      return said();
    };
    const [first, second, outside] = await Promise.all([
      withLentGlobals({ fetch: answering("first") }, late),
      withLentGlobals({ fetch: answering("second") }, late),
      late(),
    ]);
    expect([first, second, outside]).toEqual(["first", "second", "the process"]);
    expect(await withLentGlobals({ fetch: undefined }, said)).toBe("the process");
  });

  it("take up a fetch that was put in the place of the process's own meanwhile", async () => {
    withLentGlobals({ fetch: undefined }, () => undefined);
    vi.stubGlobal("fetch", answering("another"));
    const said = async () => (await fetch("http://x/")).text();
    expect(await withLentGlobals({ fetch: answering("lent") }, said)).toBe("lent");
    expect(await said()).toBe("another");
  });

  it("print nothing, while everybody else prints", async () => {
    const printed: unknown[] = [];
    const print = (...said: unknown[]) => void printed.push(...said);
    vi.stubGlobal("console", {
      ...console,
      log: print,
      debug: print,
      info: print,
      warn: print,
      error: print,
    });
    const speak = async () => {
      await turn();
      for (const name of ["log", "debug", "info", "warn", "error"] as const) console[name](name);
    };
    await withLentGlobals({ fetch: undefined }, speak);
    expect(printed).toEqual([]);
    await speak();
    expect(printed).toEqual(["log", "debug", "info", "warn", "error"]);
  });
});
