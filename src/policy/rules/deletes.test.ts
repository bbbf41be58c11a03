import * as fc from "fast-check";
import { expect, it } from "vitest";
import { commandsOfCall } from "../../sandbox/shell/commands-of-call.ts";
import { deletes } from "./deletes.ts";

const ofCommand = async (command: string) =>
  deletes({ arguments: { command }, isProgram: true, commands: await commandsOfCall({ command }) });

it.each([
  "rm notes.txt",
  "/bin/rm -rf build",
  "cd src && rmdir old",
  "sudo rm x",
  "sh -c 'unlink x'",
  "find . -name '*.log' -delete",
  "find . -name '*.log' -exec rm {} +",
  "ls | xargs rm",
  "git clean -fdx",
  "git rm old.ts",
  "shred -u key",
  "rsync -a --delete a/ b/",
  "$PROGRAM x",
  'eval "$line"',
  "python3 -c 'import os; os.remove(\"x\")'",
  "node -e 'fs.rmSync(\"x\")'",
  "echo 'never closed",
])("a command deletes, or may: %s", async (command) => {
  expect(await ofCommand(command)).toBe(true);
});

it.each([
  "ls -l",
  "git status",
  "git commit -m 'remove the old code'",
  "npm test",
  "grep -rn rm docs",
  "cp a b && mv b c",
  "python3 build.py",
  "echo hello > notes.txt",
])("a command does not delete: %s", async (command) => {
  expect(await ofCommand(command)).toBe(false);
});

it("knows a patch, an action and a tool that delete", () => {
  expect(deletes({ arguments: { patch: "*** Begin Patch\n*** Delete File: a\n*** End Patch" } })).toBe(true);
  expect(deletes({ arguments: { patch: "*** Begin Patch\n*** Update File: a\n-x\n*** End Patch" } })).toBe(
    false,
  );
  expect(deletes({ arguments: { action: "delete", id: 1 } })).toBe(true);
  expect(deletes({ arguments: { path: "a", content: "how to delete a file" } })).toBe(false);
  expect(deletes({ arguments: { path: "a" }, names: ["files_delete"] })).toBe(true);
  expect(deletes({ arguments: { path: "a" }, names: ["write", "effect:write"] })).toBe(false);
});

it("takes any arguments whatever", () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.boolean(),
      (given, isProgram) => void deletes({ arguments: given, isProgram }),
    ),
  );
});
