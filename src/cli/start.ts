/**
 * The first file that runs. `--version` and every `--help` are answered from texts made at build time, before
 * anything else is imported.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { languageOf } from "../infra/language.ts";
import { createTypedHere } from "./typed-here.ts";

/** Put in place by the build; absent when running from source. */
declare const PINCER_VERSION: string | undefined;

const version = typeof PINCER_VERSION === "undefined" ? undefined : PINCER_VERSION;
const args = process.argv.slice(2);
const asksForVersion = args.length === 1 && (args[0] === "--version" || args[0] === "-V");
const prepared = version ? (asksForVersion ? `${version}\n` : readHelp()) : undefined;

if (prepared !== undefined) {
  print(args.length === 1 || args.length === 0 ? withTypedEnd(prepared) : prepared);
} else {
  // A gateway runs for months and mostly waits: V8's space for young objects stays at the megabyte it begins with instead of growing to
  // 32 (--max-semi-space-size has no effect on a running process). First of all, because compiled code is kept per set of V8's flags.
  if (args[0] === "gateway" || args[0] === "serve") setFlagsFromString("--semi-space-growth-factor=1");
  if (version) keepCompiledCode();
  const { main } = await import("./main.ts");
  process.exitCode = await main(args, version);
}

/** The help of the whole program ends with what to type first. */
function withTypedEnd(help: string): string {
  const typed = createTypedHere({ environment: process.env, script: process.argv[1] });
  return help.replace(/[^\n]+\n*$/, typed);
}

/** Whole, also into a slow pipe; a reader that has gone is no fault, and a full disk is said in one line. */
function print(text: string): void {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.stderr.write(`pincer: ${message}\n`);
    process.exitCode = code === "EPIPE" ? 0 : 1;
  });
  process.stdout.write(text);
}

/** The prepared help of the command that the words name, if it is just help that is asked for. */
function readHelp(): string | undefined {
  const isHelp = (arg: string) => arg === "--help" || arg === "-h";
  const asked = args.length === 0 || args[0] === "help" || args.some(isHelp);
  const words = args.filter((arg) => !isHelp(arg));
  if (!asked || words.some((word) => word.startsWith("-"))) return undefined;
  const path = (words[0] === "help" ? words.slice(1) : words).join(" ");
  const file = new URL(`help.${languageOf(process.env)}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)[path];
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
    // An unwritable home is reported by the code that needs it.
  }
}
