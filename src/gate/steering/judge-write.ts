/**
 * In a tainted turn three kinds of files change only with a yes: those that steer the assistant tomorrow, those that
 * run outside the wall although nobody starts them, and those outside the workdir, where nothing can be undone. The
 * owner is shown what would change (`tools/files/describe-change.ts`). Everything else in the workdir is free.
 */
import { listedRoot } from "../../policy/listed-path.ts";
import { readPath } from "../../policy/path-names.ts";
import { isProtected } from "../../policy/protected-paths.ts";
import type { Finding } from "../../policy/finding.ts";
import type { CallContext } from "../call-context.ts";
import type { CallFacts } from "../call-facts.ts";
import type { PlannerTool } from "../grants/planner.ts";
import { changedPaths, type ChangingCall } from "./changed-paths.ts";

export interface JudgeWriteParts {
  /** Whether file tools would write outside the workdir. */
  isOutside(path: string): boolean;
  /** Whether a file runs by itself because a config in the workdir says so. Throws what reading that does. */
  alsoRuns(path: string): Promise<boolean>;
  /** Whether the owner's words ask for a change of this file. Throws what looking up grants throws. */
  isGranted(path: string): Promise<boolean>;
}

/** What a planner may grant for files that run by themselves and that the message names: no tool has this name. */
export const changeFileTool: PlannerTool = {
  name: "change_file",
  what: "change a file that the message names",
  args: ["path"],
};

/** The change of a file, as grants see it. Pure. */
export const changeFileCall = (path: string): CallFacts => ({
  tool: changeFileTool.name,
  effect: "act",
  controls: { path: "value" },
  leaves: [],
  arguments: { path },
});

/** Undefined: it may be written. */
export async function judgeWrite(
  { label, typed }: Pick<CallContext, "label" | "typed">,
  call: ChangingCall,
  { isOutside, alsoRuns, isGranted }: JudgeWriteParts,
): Promise<Finding | undefined> {
  if (!label.untrusted) return undefined;
  const paths = changedPaths(call);
  const steering = paths.filter(isProtected);
  if (steering.length > 0) return findingOf("protected", "steering-file", steering);
  const running: string[] = [];
  for (const path of paths) {
    if (!listedRoot(path) && !(await alsoRuns(path))) continue;
    // A mention is no wish: "what does .envrc do?" names it, too.
    if (!isNamed(typed, path) || !(await isGranted(path))) running.push(path);
  }
  if (running.length > 0) return findingOf("runs-by-itself", "runs-by-itself", running);
  const outside = paths.filter(isOutside);
  return outside.length > 0 ? findingOf("outside", "outside-workdir", outside) : undefined;
}

/** Files that run by themselves, as a text names them: by their whole path. Pure. */
export const listedIn = (text: string): string[] => [
  ...new Set(namesIn(text).filter((name) => listedRoot(name) !== undefined)),
];

/** Pure. */
const isNamed = (typed: readonly string[], path: string): boolean =>
  typed.flatMap(namesIn).some((name) => samePath(name, path));

const namesIn = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}_.~/@+-]+/gu) ?? []).map((name) => name.replace(/^\.\/|[.]+$/gu, ""));

function samePath(name: string, path: string): boolean {
  const [one, other] = [readPath(name), readPath(path)];
  return !one.isElsewhere && !other.isElsewhere && one.names.join("/") === other.names.join("/");
}

function findingOf(check: string, code: Finding["code"], paths: readonly string[]): Finding {
  const [first = ""] = paths;
  const cause = { argument: "path", value: first, from: "nowhere", sentence: "" };
  return { verdict: "ask", check, code, values: { path: paths.join(", ") }, cause };
}
