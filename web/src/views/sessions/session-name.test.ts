import { describe, expect, it } from "vitest";
import { createSay } from "../../texts/texts.ts";
import { keyName, sessionName } from "./session-name.ts";

const say = createSay("en");
const session = {
  label: null,
  opening: null,
  sessionKey: "agent:main:telegram:dm:42",
  origin: { channel: "telegram" },
};

describe("the name of a session", () => {
  it("UI-01 is what its owner calls it, else its subject, else its first words, else its key", () => {
    expect(sessionName(session, say)).toBe("telegram · dm · 42");
    expect(sessionName({ ...session, opening: "Where is it?" }, say)).toBe("Where is it?");
    const group = { channel: "telegram", subject: "Family" };
    expect(sessionName({ ...session, opening: "Where?", origin: group }, say)).toBe("Family");
    expect(sessionName({ ...session, label: "Mine", origin: group }, say)).toBe("Mine");
  });

  it("reads keys as people say them", () => {
    expect(keyName("agent:main:main", say)).toBe("Main conversation");
    expect(keyName("agent:main:named:holiday%20plans", say)).toBe("holiday plans");
    expect(keyName("agent:main:named:100%", say)).toBe("100%");
    expect(keyName("something else", say)).toBe("something else");
  });
});
