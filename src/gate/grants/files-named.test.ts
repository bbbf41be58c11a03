import { expect, it } from "vitest";
import { filesByWord, filesNamed } from "./files-named.ts";

const holding = (...names: string[]) => ({ stamp: (name: string) => (names.includes(name) ? "1" : "") });

it("names are those that stand in the words as they are", async () => {
  const files = holding("notes.md", "todo.md", "plans/meals.md", "/etc/passwd", "../notes.md");
  const text = "Send Bob ./notes.md and plans/meals.md. Not /etc/passwd, ../notes.md or todo!";
  expect(await filesNamed(files, text)).toEqual(["notes.md", "plans/meals.md"]);
});

it("a word may mean the one file of that name, whatever its usual ending", async () => {
  const files = holding("todo.md", "bills.csv", "notes.md", "notes.txt", "to.md");
  expect(await filesByWord(files, "what's on my todo list, in bills and in notes, to be sure?")).toEqual([
    "todo.md",
    "bills.csv",
  ]);
});
