import * as fc from "fast-check";
import { expect, it } from "vitest";
import { visibleCommand } from "./visible-command.ts";

const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 8 })
  .map((points) => String.fromCodePoint(...points));

it.each([
  ["ls -la 'a b' | grep \"x\" > y", "ls -la 'a b' | grep \"x\" > y"],
  ["build\n  check", "build\n  check"],
  ["echo \u202egpj.exe", "echo ⟨U+202E⟩gpj.exe"],
  ["ls\u200b", "ls⟨U+200B⟩"],
  ["ls\r\nrm", "ls⟨U+000D⟩\nrm"],
  ["ls\u001b[2K", "ls⟨U+001B⟩[2K"],
  ["a\u00a0b\tc", "a⟨U+00A0⟩b⟨U+0009⟩c"],
  ["l\u0455 -la", "l⟨U+0455⟩ -la"],
  ["\u0441\u0440 a b", "⟨U+0441⟩⟨U+0440⟩ a b"],
  ["ｌｓ", "⟨U+FF4C⟩⟨U+FF53⟩"],
  ["ls； rm", "ls⟨U+FF1B⟩ rm"],
  ["⟨U+202E⟩", "⟨U+27E8⟩U+202E⟨U+27E9⟩"],
  ["ls\u{e0061}", "ls⟨U+E0061⟩"],
  ["ls \ud800", "ls ⟨U+D800⟩"],
  ["echo привет, Straße, 你好，世界", "echo привет, Straße, 你好，世界"],
  [`ls${"\n".repeat(50)}rm x`, "ls⟨U+000A ×50⟩rm x"],
  [`ls${" ".repeat(200)}; rm x`, "ls⟨U+0020 ×200⟩; rm x"],
])("SAFE-02 %j is shown as %j", (command, shown) => {
  expect(visibleCommand(command)).toBe(shown);
});

it("SAFE-02 two commands that are not the same are never shown as the same", () => {
  const letters = fc.constantFrom(
    "l",
    "s",
    " ",
    "\n",
    "\u200b",
    "⟨",
    "⟩",
    "U",
    "+",
    "2",
    "0",
    "B",
    "×",
    "і",
    "ｌ",
  );
  const command = fc.oneof(fc.string({ unit: letters, maxLength: 8 }), anyText);
  fc.assert(
    fc.property(command, command, (one, other) => {
      fc.pre(one !== other);
      expect(visibleCommand(one)).not.toBe(visibleCommand(other));
    }),
  );
});

it("SAFE-02 shows nothing that cannot be seen", () => {
  fc.assert(
    fc.property(anyText, (command) => {
      expect(visibleCommand(command)).not.toMatch(
        /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
      );
    }),
  );
});
