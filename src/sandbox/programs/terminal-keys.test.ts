import { expect, it } from "vitest";
import { keySequence } from "./terminal-keys.ts";

it.each<[string, string]>([
  ["enter", "\r"],
  ["Return", "\r"],
  ["tab", "\t"],
  ["escape", "\u001b"],
  ["up", "\u001b[A"],
  ["down", "\u001b[B"],
  ["right", "\u001b[C"],
  ["left", "\u001b[D"],
  ["ctrl-a", "\u0001"],
  ["ctrl-c", "\u0003"],
  ["Ctrl+C", "\u0003"],
  ["C-z", "\u001a"],
  ["control_d", "\u0004"],
  ["backspace", "\u007f"],
  ["page-up", "\u001b[5~"],
  ["Page Down", "\u001b[6~"],
  ["home", "\u001b[H"],
  ["end", "\u001b[F"],
  ["delete", "\u001b[3~"],
  ["f5", "\u001b[15~"],
])("SHELL-07 the key %s sends %j", (name, sequence) => {
  expect(keySequence(name)).toBe(sequence);
});

it.each(["", "ctrl-", "ctrl-1", "nothing", "rm -rf"])("there is no key %j", (name) => {
  expect(() => keySequence(name)).toThrow("There is no key");
});
