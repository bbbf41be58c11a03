import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeHome, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

describe("pincer doctor", () => {
  it("finds nothing wrong with a home that was just used", async () => {
    expect((await home.run(["ask", "hello"])).status).toBe(0);
    // What the product keeps compiled lies in the home, with the modes that Node gives it.
    expect(existsSync(join(home.path, "cache"))).toBe(true);
    const { status, out } = await home.run(["doctor"]);
    expect(out).toMatch(/^ok permissions: /m);
    expect(out).not.toMatch(/^x /m);
    expect(status).toBe(0);
  });
});
