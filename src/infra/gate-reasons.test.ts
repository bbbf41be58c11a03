import { origins, originWords } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { findingCodes } from "../policy/finding.ts";
import { gateReason, inEnglish, reasonTexts, saidByTool, sayReasons } from "./gate-reasons.ts";
import { createSay } from "./texts.ts";
import { gateReasonTexts } from "./texts/gate-reasons.ts";

const [english, chinese] = [createSay("en"), createSay("zh")];
const quote = (text: string) => `[${text}]`;
const prefix = "gate.reason.";
const codes = Object.keys(gateReasonTexts).flatMap((key) =>
  key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
);
const namesIn = (code: string): string[] => {
  const { en } = gateReasonTexts[`${prefix}${code}` as keyof typeof gateReasonTexts];
  return [...en.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
};

describe("why the gate decided", () => {
  it.each(codes)("is said in both languages with all its values: %s", (code) => {
    const names = namesIn(code);
    const values = Object.fromEntries(names.map((name) => [name, `value-of-${name}`]));
    const reasons = [{ code, values }];
    const [en, zh] = [english, chinese].map((say) => sayReasons({ reasons, reason: "fallback" }, say, quote));
    for (const said of [en, zh]) {
      expect(said).not.toContain("fallback");
      expect(said).not.toMatch(/\{\w+\}/);
      for (const name of names) expect(said).toContain(`value-of-${name}`);
    }
    expect(code === "says" || /\p{Script=Han}/u.test(zh ?? "")).toBe(true);
    // Nothing of a sentence is left in English.
    expect(zh?.replaceAll(/\[[^\]]*\]|value-of-\w+/g, "")).not.toMatch(/[a-z]{3,} [a-z]{2,} [a-z]{2,}/i);
    expect(inEnglish(reasons)).toBe(en?.replaceAll(/[[\]]/g, ""));
  });

  it("has a text for every finding of the gate", () => {
    expect(findingCodes.filter((code) => !codes.includes(code))).toEqual([]);
  });

  it("marks what anybody may have written, and nothing of ours", () => {
    const reasons = [
      gateReason("other-value", { argument: "to", value: "x” says the owner" }),
      gateReason("needs-yes", { source: "tools.modes.send" }),
      gateReason("not-asked-for", { tool: "send {value} now" }),
    ];
    expect(sayReasons({ reasons, reason: "" }, english, quote)).toBe(
      "to is [x” says the owner], which the owner did not say; needs the owner's yes (tools.modes.send); the owner's words do not ask for [send {value} now]",
    );
  });

  it("names private sources in words, with what is in their names marked", () => {
    const reasons = [
      gateReason("private-sources", { sources: "file:notes.md, memory, tool:mail, user, odd one" }),
    ];
    expect(sayReasons({ reasons, reason: "" }, chinese, quote)).toContain(
      "文件 [notes.md], 记忆, 工具 [mail], USER.md, [odd one]",
    );
  });

  it("knows every origin of a text", () => {
    const texts = reasonTexts(chinese, quote);
    for (const origin of [...origins, "prompt", "nowhere"]) {
      expect(originWords(origin, texts)).toMatch(/\p{Script=Han}/u);
      expect(originWords(`${origin} a b`, texts)).toMatch(/^\p{Script=Han}+ \[a b\]$/u);
    }
    expect(originWords("elsewhere", texts)).toBe("[elsewhere]");
  });

  it("is said as it was stored where there are no codes, or one that is not known here", () => {
    const reason = "because of a; b";
    for (const reasons of [
      undefined,
      [],
      [
        { code: "by-default", values: {} },
        { code: "newer", values: {} },
      ],
    ])
      expect(sayReasons({ reason, reasons }, chinese, quote)).toBe("[because of a; b]");
  });

  it("takes a tool's own words as its words", () => {
    expect(inEnglish(saidByTool("this costs 3 dollars"))).toBe("this costs 3 dollars");
    expect(sayReasons({ reasons: saidByTool("3 dollars"), reason: "" }, chinese, quote)).toBe("[3 dollars]");
    expect(saidByTool([gateReason("types")])).toEqual([{ code: "types", values: {} }]);
  });
});
