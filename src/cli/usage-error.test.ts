import { Command, InvalidArgumentError, Option } from "commander";
import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { usageError } from "./usage-error.ts";

const chinese = createSay("zh");
const english = createSay("en");

/** What commander itself says, so that another version's sentences are noticed. */
function saidAbout(...args: string[]): string {
  let said = "";
  const program = new Command("pincer")
    .exitOverride()
    .configureOutput({ outputError: (text) => (said = text) });
  const run = program
    .command("start")
    .exitOverride()
    .configureOutput({ outputError: (text) => (said = text) });
  run
    .addOption(new Option("--level <level>").choices(["warn", "error"]))
    .option("--port <n>", "", (text) => {
      throw new InvalidArgumentError(`${text} is no port`);
    })
    .argument("<name>")
    .action(() => {});
  run.command("needy").requiredOption("--key <key>");
  try {
    program.parse(args, { from: "user" });
  } catch {
    // It ends by throwing; what it said before is what counts.
  }
  return said;
}

it("names what other programs call a command as it is typed here", () => {
  const typed = (text: string) => text.replace("pincer", "npx pincer");
  expect(usageError(saidAbout("login"), english, "pincer", typed)).toContain(
    "Did you mean npx pincer auth login <provider>?",
  );
});

it.each([
  [["strat"], "未知命令 'strat'", "是否指 start"],
  [["start", "a", "--levle", "x"], "未知选项 '--levle'", "是否指 --level"],
  [["start"], "缺少参数 'name'", ""],
  [["start", "a", "--level"], "选项 '--level <level>' 缺少值", ""],
  [["start", "a", "--level", "x"], "'x' 不适用于 '--level <level>'", "可选值：warn, error"],
  [["start", "a", "--port", "x"], "'x' 不适用于 '--port <n>'", "x is no port"],
  [["start", "a", "b"], "参数太多", ""],
])("says in Chinese what is wrong with %j", (args, what, more) => {
  const said = usageError(saidAbout(...args), chinese);
  expect(said).toContain(what);
  expect(said).toContain(more);
  expect(said).not.toMatch(/error:|Did you mean|is invalid/);
});

it("ends each sentence with one new line, and keeps a sentence that it does not know", () => {
  expect(usageError(saidAbout("strat"), english)).toBe(
    "error: unknown command 'strat'\n(Did you mean start?)\n",
  );
  expect(usageError("error: something new\n", chinese)).toBe("error: something new\n");
});

it("knows what other programs call our commands and flags", () => {
  const said = (text: string, command: string) => usageError(text, english, command);
  expect(said("error: unknown command 'search'\n", "pincer sessions")).toBe(
    "error: unknown command 'search'\n(Did you mean pincer memory search <words>?)\n",
  );
  expect(said("error: unknown option '--tail'\n", "pincer logs")).toContain("(Did you mean --lines?)");
  expect(said("error: unknown option '--tail'\n", "pincer ask")).not.toContain("Did you mean");
});
