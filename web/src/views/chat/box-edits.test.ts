import { expect, it } from "vitest";
import { createBoxEdits, kindOfStroke } from "./box-edits.ts";

const kind = (inputType: string | undefined, data: string | null = null, isTrusted = true) =>
  kindOfStroke({ ...(inputType === undefined ? {} : { inputType }), data, isTrusted });

it("SEC-02 takes for typed only what keys put into a box", () => {
  expect(kind("insertText", "a")).toBe("typed");
  expect(kind("insertLineBreak")).toBe("typed");
  expect(kind("insertText", "\n")).toBe("typed");
  expect(kind("insertCompositionText", "今天天气不错")).toBe("typed");
  expect(kind("deleteWordBackward")).toBe("typed");
  expect(kind("deleteByCut")).toBe("typed");
});

it.each([
  ["a paste", kind("insertFromPaste", "x")],
  ["a drop", kind("insertFromDrop", "x")],
  ["what was cut on this system before", kind("insertFromYank", "x")],
  ["autofill", kind("insertReplacementText", "12 Long Street, Town")],
  ["a link from a keyboard's clipboard", kind("insertText", "a".repeat(201))],
  ["lines at once", kind("insertText", "a\nb")],
  ["an edit that no browser names", kind(undefined)],
  ["an edit of a kind that is not known", kind("insertFromTomorrow", "x")],
  ["an edit by a script", kind("insertText", "a", false)],
])("SEC-02 takes %s for pasted", (_name, found) => {
  expect(found).toBe("pasted");
});

it("SEC-02 takes for pasted what stands in the box without anybody having put it there", () => {
  const edits = createBoxEdits();
  const box = (value: string, caret = value.length) =>
    ({ value, selectionStart: caret, selectionEnd: caret }) as HTMLTextAreaElement;
  edits.before(box("restored"));
  edits.after(box("restored!"), { inputType: "insertText", data: "!", isTrusted: true });
  expect(edits.spoken()).toEqual({ text: "restored!", pasted: [{ start: 0, end: 8 }] });
});

it("knows what brings back, and a word that a dictionary put right", () => {
  expect(kind("historyUndo")).toBe("restored");
  expect(kind("historyRedo")).toBe("restored");
  expect(kind("insertReplacementText", "weather")).toBe("typed");
});
