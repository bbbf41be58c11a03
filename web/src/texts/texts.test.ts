import { describe, expect, it } from "vitest";
import { createSay, isTextKey } from "./texts.ts";

describe("texts", () => {
  it("UI-01 are said in the language that is asked for, with what they are about", () => {
    expect(createSay("en")("access.passkey.failed", { message: "no" })).toBe(
      "The passkey was not accepted: no",
    );
    expect(createSay("zh")("access.passkey.failed", { message: "no" })).toBe("通行密钥未被接受：no");
  });

  it("keep the place of what nobody gave", () => {
    expect(createSay("en")("access.passkey.failed")).toBe("The passkey was not accepted: {message}");
  });

  it("UI-01 speak of one thing as of one", () => {
    const inEnglish = createSay("en");
    expect([inEnglish("sessions.shown", { count: 1 }), inEnglish("sessions.shown", { count: "1" })]).toEqual([
      "1 session",
      "1 session",
    ]);
    expect(inEnglish("sessions.shown", { count: 21 })).toBe("21 sessions");
    expect(createSay("zh")("sessions.shown", { count: 1 })).toBe("1 个会话");
  });

  it("know their keys", () => {
    expect([isTextKey("nav.chat"), isTextKey("toString")]).toEqual([true, false]);
  });
});
