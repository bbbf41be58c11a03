import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { keyWords } from "./key-words.ts";

const shape = (given: object) =>
  JSON.stringify({
    program: "wc",
    words: ["-l"],
    hasFreeOperands: true,
    file: "/usr/bin/wc",
    place: "/home/ann/work",
    wall: "a sandbox",
    around: "ab12",
    ...given,
  });

it.each([
  [`exec ${shape({})}`, "wc -l … (any files of the workdir)"],
  [`exec tool ${shape({})}`, "wc -l … (any files of the workdir)"],
  [
    `exec ${shape({ program: "git", words: ["log", "-n 2", ""], hasFreeOperands: false })}`,
    'git log "-n 2" "" (only these words, in /home/ann/work)',
  ],
  ['exec {"program":"wc"}', "exec"],
  ['exec tool {"program":', "exec"],
  ["message to telegram:42", "message to telegram:42"],
  ["git *", "git *"],
])("reads %j as %s", (key, words) => {
  expect(keyWords(key, createSay("en"))).toBe(words);
});

it("says it in Chinese, too", () => {
  expect(keyWords(`exec ${shape({})}`, createSay("zh"))).toBe("wc -l …（工作目录中的任何文件）");
});
