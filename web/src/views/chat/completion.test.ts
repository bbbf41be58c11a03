import type { CommandFactView } from "@pincer/sdk";
import { expect, it } from "vitest";
import { completionsOf, isCommand } from "./completion.ts";

const command = (name: string, more: Partial<CommandFactView> = {}): CommandFactView => ({
  name,
  aliases: [],
  prefix: "/",
  usage: "",
  help: `about ${name}`,
  group: "g",
  ownerOnly: false,
  arguments: [],
  ...more,
});
const commands = [
  command("undo"),
  command("model", { aliases: ["models"], arguments: [{ name: "name" }] }),
  command("verbose", { arguments: [{ name: "switch", choices: ["on", "off"] }] }),
  command("tape.reset"),
];
const texts = (words: string) => completionsOf(words, commands).map(({ text }) => text);

it("UI-01 completes commands from their first letters, all of them behind the mark alone", () => {
  expect(texts("/")).toEqual(["/model", "/tape.reset", "/undo", "/verbose"]);
  expect(texts("/u")).toEqual(["/undo"]);
  expect(texts("/MOD")).toEqual(["/model"]);
  expect(texts("/reset")).toEqual(["/tape.reset"]);
  expect(completionsOf("/model", commands)[0]).toMatchObject({ takesMore: true, help: "about model" });
});

it("completes what may stand behind a command, and nothing in other words", () => {
  expect(texts("/verbose ")).toEqual(["/verbose on", "/verbose off"]);
  expect(texts("/verbose of")).toEqual(["/verbose off"]);
  expect(texts("/verbose off")).toEqual([]);
  for (const words of ["", "hello /u", "/u\nmore", "/etc/passwd", "// x"]) expect(texts(words)).toEqual([]);
});

it("takes known names for commands alone: paths and unknown ones are for the model", () => {
  expect(
    ["/undo", "!undo", ",undo", "/models gpt", "/tape.reset"].every((words) => isCommand(words, commands)),
  ).toBe(true);
  expect(
    ["/nothing", "/etc/passwd", "undo", "/undone", "/"].some((words) => isCommand(words, commands)),
  ).toBe(false);
});
