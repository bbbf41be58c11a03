/**
 * The first file that runs. `--version` and the top-level `--help` are answered from texts made at build
 * time, before anything else is imported.
 */
import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import type { Language } from "../infra/texts/table.ts";

/** Put in place by the build; absent when running from source. */
declare const PINCER_BUILD: { version: string; help: Record<Language, string> } | undefined;

const build = typeof PINCER_BUILD === "undefined" ? undefined : PINCER_BUILD;
const args = process.argv.slice(2);
const only = args.length < 2 ? (args[0] ?? "help") : undefined;

if (build && (only === "--version" || only === "-V")) {
  process.stdout.write(`${build.version}\n`);
} else if (build && (only === "--help" || only === "-h" || only === "help")) {
  const { languageOf } = await import("../infra/language.ts");
  process.stdout.write(build.help[languageOf(process.env)]);
} else {
  if (build) keepCompiledCode();
  const { main } = await import("./main.ts");
  process.exitCode = await main(args, build?.version);
}

/** Compiled code is kept in the home, not in a directory that others may write to. Without it everything works, only slower. */
function keepCompiledCode(): void {
  const { PINCER_HOME, HOME } = process.env;
  const home = PINCER_HOME || (HOME && join(HOME, ".pincer"));
  if (!home) return;
  try {
    // Only in a home that is there: looking at Pincer does not make one.
    if (!existsSync(home)) return;
    for (const part of ["cache", "cache/code"]) {
      if (!existsSync(join(home, part))) mkdirSync(join(home, part), { mode: 0o700 });
    }
    enableCompileCache(join(home, "cache", "code"));
  } catch {
    // A home that cannot be written is reported by whoever needs it.
  }
}
