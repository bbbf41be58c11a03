import { expect, it } from "vitest";
import { createContext } from "./command-context.ts";
import { commands } from "./commands.ts";
import { createProgram, speakLike } from "./program.ts";
import { createFakeTerminal } from "./testing/fake-terminal.ts";

async function help(environment: Record<string, string>): Promise<string> {
  const terminal = createFakeTerminal();
  const signal = new AbortController().signal;
  const context = createContext({ terminal, environment, cwd: "/", signal, typed: (text) => `!${text}` });
  const program = createProgram(context, "0.0.0-test");
  for (const load of new Set(commands.values())) (await load()).register(program, context);
  speakLike(program, context);
  program.outputHelp();
  return terminal.written();
}

it("CLI-02 lists the ten everyday commands first, and every other in its group", async () => {
  const text = await help({});
  const groups = [...text.matchAll(/^(\S.*):\n((?: {2}.*\n)+)/gm)].map(([, title, lines = ""]) => ({
    title,
    names: [...lines.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name),
  }));
  expect(groups.map(({ title }) => title)).toEqual([
    "Options",
    "Every day",
    "Conversations",
    "Settings",
    "People and permissions",
    "Upkeep and records",
  ]);
  expect(groups[1]?.names).toEqual(
    "chat ask onboard status channels models memory undo gateway doctor".split(" "),
  );
  expect(text).not.toContain("Commands:");
  const aliases = ["repl", "setup"];
  expect(groups.slice(1).flatMap(({ names }) => names)).toEqual([
    ...[...commands.keys()].filter((name) => !aliases.includes(name)),
    "help",
  ]);
  // Usage lines name the commands; only what to type first, at the end, is typed as it works here.
  expect(text.split("!")).toMatchObject([expect.stringMatching(/\n$/), expect.stringMatching(/^Start with/)]);
  expect(await help({ PINCER_LANG: "zh" })).toContain("日常：");
});
