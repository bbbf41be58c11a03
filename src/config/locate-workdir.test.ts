import { describe, expect, it } from "vitest";
import { locateWorkdir } from "./locate-workdir.ts";

const place = {
  cwd: "/where/i/am",
  environment: { HOME: "/home/ann" },
  homeRoot: "/data/pincer",
  flag: undefined,
};

describe("the workdir", () => {
  it.each([
    [undefined, "/data/pincer/workspace"],
    ["~/.pincer/workspace", "/data/pincer/workspace"],
    ["~/.pincer", "/data/pincer"],
    ["~/.pincer-old/x", "/home/ann/.pincer-old/x"],
    ["~/projects", "/home/ann/projects"],
    ["~", "/home/ann"],
    ["/srv/agent", "/srv/agent"],
    ["agent", "/data/pincer/agent"],
  ])("CFG-01 configured as %s is %s", (configured, expected) => {
    expect(locateWorkdir({ ...place, configured })).toBe(expected);
  });

  it("given as a flag is meant from where the user is", () => {
    expect(locateWorkdir({ ...place, flag: "sub", configured: "/srv/agent" })).toBe("/where/i/am/sub");
  });
});
