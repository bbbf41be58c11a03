import { expect, it } from "vitest";
import { asSentence } from "./failure.ts";

it.each([
  ["The disk is full", "The disk is full."],
  ["The disk is full.", "The disk is full."],
  ["磁盘已满。", "磁盘已满。"],
  ["Is it there?", "Is it there?"],
])("ends %j so that a hint can follow", (message, sentence) => {
  expect(asSentence(message)).toBe(sentence);
});
