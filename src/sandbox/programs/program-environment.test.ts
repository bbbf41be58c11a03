import { describe, expect, it } from "vitest";
import { programEnvironment } from "./program-environment.ts";

const usual = { path: "/bin", home: "/h", shell: "/bin/sh", cwd: "/w" };
const fixed = { PATH: "/bin", HOME: "/h", SHELL: "/bin/sh", PWD: "/w", TERM: "xterm-256color" };

describe("the environment of a program", () => {
  it("is a few names and nothing of Pincer's own", () => {
    const environment = {
      PATH: "/secret/bin",
      HOME: "/root",
      LANG: "C",
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
      USER: "ada",
      OPENAI_API_KEY: "sk",
      PINCER_HOME: "/p",
      SSH_AUTH_SOCK: "/s",
      EMPTY: undefined,
    };
    expect(programEnvironment({ environment, listed: [], ...usual })).toEqual({
      ...fixed,
      LANG: "C",
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
      USER: "ada",
    });
  });

  it("has what the owner listed; behind a star nothing that looks like a secret", () => {
    const environment = {
      AWS_REGION: "eu",
      AWS_SECRET_ACCESS_KEY: "x",
      AWS_SESSION_TOKEN: "t",
      MY_TOKEN: "m",
      OTHER: "o",
    };
    expect(programEnvironment({ environment, listed: ["AWS_*", "MY_TOKEN"], ...usual })).toEqual({
      ...fixed,
      AWS_REGION: "eu",
      MY_TOKEN: "m",
    });
  });

  it.each([
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "BASH_ENV",
    "BASH_FUNC_ls%%",
    "ENV",
    "NODE_OPTIONS",
    "IFS",
    "PS4",
    "PERL5OPT",
    "PYTHONSTARTUP",
    "PINCER_PROGRAM",
    "SHELLOPTS",
  ])("never has %s, listed or not", (name) => {
    expect(programEnvironment({ environment: { [name]: "x" }, listed: [name, "*"], ...usual })).toEqual(
      fixed,
    );
  });
});
