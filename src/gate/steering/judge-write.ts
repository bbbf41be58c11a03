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
import type { Grant } from "../grants/grant.ts";
import type { PlannerTool } from "../grants/planner.ts";
import type { TurnGrants } from "../grants/turn-grants.ts";
import { changedPaths, type ChangingCall } from "./changed-paths.ts";

export interface JudgeWriteParts {
  /** Whether file tools would write outside the workdir. */
  isOutside(path: string): boolean;
  /** Whether a file runs by itself because a config in the workdir says so. Throws what reading that does. */
  alsoRuns(path: string): Promise<boolean>;
  /** What the owner's words ask for under a name of ours. Throws what looking up grants throws. */
  planned: TurnGrants["planned"];
}

/** What a planner may grant for files that run by themselves: no tool has this name. */
export const changeFileTool: PlannerTool = {
  name: "change_file",
  what: "change a file that runs by itself: git hook, CI job, .envrc, editor task (a folder ends in /)",
  args: ["path"],
};

/** Undefined: it may be written. */
export async function judgeWrite(
  { label }: Pick<CallContext, "label">,
  call: ChangingCall,
  { isOutside, alsoRuns, planned }: JudgeWriteParts,
): Promise<Finding | undefined> {
  if (!label.untrusted) return undefined;
  const paths = changedPaths(call);
  const steering = paths.filter(isProtected);
  if (steering.length > 0) return findingOf("protected", "steering-file", steering);
  const running: string[] = [];
  for (const path of paths) {
    if (!listedRoot(path) && !(await alsoRuns(path))) continue;
    running.push(path);
  }
  const asked = running.length > 0 ? pathsOf(await planned(changeFileTool.name)) : [];
  const open = running.filter((path) => !asked.some((each) => isAt(each, path)));
  if (open.length > 0) return findingOf("runs-by-itself", "runs-by-itself", open);
  const outside = paths.filter(isOutside);
  return outside.length > 0 ? findingOf("outside", "outside-workdir", outside) : undefined;
}

const pathsOf = (grants: readonly Grant[]): string[] =>
  grants.flatMap(({ args: { path } }) => (path && "value" in path ? [String(path.value)] : []));

/** The file itself, or one in a folder whose files all run by themselves. */
function isAt(asked: string, path: string): boolean {
  const [one, other] = [readPath(asked), readPath(path)];
  if (one.isElsewhere || other.isElsewhere) return false;
  const inFolder = asked.endsWith("/") && listedRoot(`${asked}x`) !== undefined;
  const names = inFolder ? other.names.slice(0, one.names.length) : other.names;
  return names.join("/") === one.names.join("/");
}

function findingOf(check: string, code: Finding["code"], paths: readonly string[]): Finding {
  const [first = ""] = paths;
  const cause = { argument: "path", value: first, from: "nowhere", sentence: "" };
  return { verdict: "ask", check, code, values: { path: paths.join(", ") }, cause };
}
