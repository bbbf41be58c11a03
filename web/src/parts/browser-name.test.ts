import { describe, expect, it } from "vitest";
import { browserName } from "./browser-name.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("the name of a browser", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox · Linux"],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
      "Chrome · Windows",
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/131.0 Safari/537.36 Edg/131.0`, "Edge · Windows"],
    [`Mozilla/5.0 (Linux; Android 14) ${webkit} Chrome/131.0 Mobile Safari/537.36`, "Chrome · Android"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari · iPhone"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari · macOS"],
    ["curl/8.0", "curl/8.0"],
    ["Ada's phone", "Ada's phone"],
  ])("%s", (said, name) => {
    expect(browserName(said)).toBe(name);
  });
});
