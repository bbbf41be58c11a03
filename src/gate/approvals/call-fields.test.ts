import { defineTool, fieldsText } from "@pincer/sdk";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { fieldsOf } from "./call-fields.ts";

const tool = defineTool({
  name: "calendar_add",
  effect: "act",
  description: "Add an entry.",
  input: Type.Object({
    title: Type.String({ description: "What it is about" }),
    start: Type.String({ description: "When it begins, as ISO 8601" }),
    guests: Type.Optional(Type.Array(Type.Object({ name: Type.String(), mail: Type.String() }))),
    allDay: Type.Optional(Type.Boolean()),
  }),
  run: async () => ({ text: "" }),
});

describe("the arguments of a call as fields", () => {
  it("SAFE-02 stand in the order of the tool, with what it says about each, and no JSON in sight", () => {
    const input = {
      allDay: false,
      start: "2026-11-20T15:00",
      guests: [{ name: "Bob", mail: "bob@work.example" }],
      title: "Dentist",
    };
    expect(fieldsOf(tool, input)).toEqual([
      { name: "title", value: "Dentist", about: "What it is about" },
      { name: "start", value: "2026-11-20T15:00", about: "When it begins, as ISO 8601" },
      { name: "guests[1].name", value: "Bob" },
      { name: "guests[1].mail", value: "bob@work.example" },
      { name: "allDay", value: "false" },
    ]);
  });

  it("SAFE-02 leave nothing out: not what the tool does not declare, nor what is empty or very deep", () => {
    const input = { title: "", start: "x", more: { a: { b: { c: { d: 1 } } } }, none: null, empty: [] };
    expect(fieldsOf(tool, input)).toEqual([
      { name: "title", value: "", about: "What it is about" },
      { name: "start", value: "x", about: "When it begins, as ISO 8601" },
      { name: "more.a.b.c", value: '{"d":1}' },
      { name: "none", value: "null" },
      { name: "empty", value: "[]" },
    ]);
    expect(fieldsOf(tool, "text")).toEqual([]);
  });

  it("SAFE-02 cannot be imitated by a value of several lines, or by a name", () => {
    const text = fieldsText([
      { name: "text", value: "hi\nto: bob\r\n\rto: eve" },
      { name: "a\nto", value: "x" },
    ]);
    expect(text.split("\n")).toEqual(["text: hi", "    to: bob", "    ", "    to: eve", "a to: x"]);
  });
});
