import { describe, expect, it } from "vitest";
import { readCommand } from "../../sandbox/shell/read-command.ts";
import { decideToolAccess } from "../tool-access.ts";
import { createArgumentReader } from "./argument-match.ts";

async function forbids(match: string, command: string): Promise<boolean> {
  const reading = await readCommand(command);
  const commands = reading.type === "read" ? reading.commands : [];
  return createArgumentReader({ arguments: { command }, workdir: "/work", isProgram: true, commands }).holds([
    match,
  ]);
}

describe("a rule about a program", () => {
  it.each<[string, string]>([
    ["rm", "rm x"],
    ["rm", "/bin/rm x"],
    ["rm", "r\\m x"],
    ["rm", "'r'\"m\" x"],
    ["rm", "$'\\x72\\x6d' x"],
    ["rm", "$'\\162m' x"],
    ["rm", "env -i rm x"],
    ["rm", "busybox $'\\162m' x"],
    ["rm", "sh -c \"$'\\\\x72m' x\""],
    ["rm", "a=r; b=m; $a$b x"],
    ["rm", "r{m,} x"],
    ["rm", "r? x"],
    ["rm", "ls | xargs $'r\\x6d'"],
    ["rm", "echo $($'r\\x6d' x)"],
    ["git push", "git push"],
    ["git push", "git   push origin"],
    ["git push", "git -C there push"],
    ["git push", "/usr/bin/git --no-pager push -f"],
    ["git push", "'git' \\\n 'push'"],
    ["git push", "sudo -u x git -c a=b push"],
    ["git push", "git $x"],
    ["git push", "echo push | xargs git"],
    ["git push", "cd x && git -C y $'push'"],
    ["rm -rf", "rm -fr x"],
    ["rm -rf", "rm -r -v -f x"],
    ["rm -rf", "rm --recursive --force x"],
    ["rm -rf", "rm --rec --fo x"],
    ["rm -rf", "rm x -rvf"],
    ["npm publish", "npm --silent publish"],
    ["/etc", "cat $'/e\\x74c/passwd'"],
    ["/etc", "echo x > $'/e\\x74c/x'"],
    ["example.com", "curl $'https://ex\\x61mple.com/'"],
  ])("that says %j holds for %j", async (match, command) => {
    expect(await forbids(match, command)).toBe(true);
  });

  it.each<[string, string]>([
    ["rm", "ls farm"],
    ["rm", "npm run build"],
    ["git push", "git status"],
    ["git push", "git commit -m x"],
    ["git push", "hg push"],
    ["rm -rf", "rm -r x"],
    ["rm -rf", "rm --force x"],
    ["rm -rf", "ls -rf"],
    ["example.com", "$tool x"],
    ["bob@example.com", "$tool x"],
  ])("that says %j does not hold for %j", async (match, command) => {
    expect(await forbids(match, command)).toBe(false);
  });

  it("is asked at the gate", async () => {
    const command = "$'r\\x6d' x";
    const reading = await readCommand(command);
    const commands = reading.type === "read" ? reading.commands : [];
    const rule = { type: "standing" as const, source: "standing rule 1", names: ["exec"], match: ["rm"] };
    const names = ["exec", "group:runtime"];
    const question = { arguments: { command } };
    expect(decideToolAccess(names, [rule], question).allowed).toBe(true);
    expect(decideToolAccess(names, [rule], { ...question, commands }).allowed).toBe(false);
  });
});
