import { expect, it } from "vitest";
import { commandsOfCall } from "./commands-of-call.ts";

it.each<[unknown, string[] | undefined]>([
  [{ command: "ls | rm x" }, ["ls", "rm"]],
  [{ action: "write", text: "rm x\n" }, ["rm"]],
  [{ command: 'sh -c "rm x"' }, ["sh", "rm"]],
  [{ command: "echo '" }, undefined],
  [{ command: 7 }, undefined],
  [{}, undefined],
  ["rm x", undefined],
  [undefined, undefined],
  [null, undefined],
])("of %j a shell makes %j", async (given, programs) => {
  expect((await commandsOfCall(given))?.map(({ words }) => words[0]?.text)).toEqual(programs);
});
