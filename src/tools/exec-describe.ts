/** Describes a command for an approval. */
import { createHash } from "node:crypto";
import type { CallDescription } from "@pincer/sdk";
import { holdDirectory } from "../sandbox/programs/file-identity.ts";
import { isUsualVariable, looksSecret } from "../sandbox/programs/program-environment.ts";
import type { ResolvedProgram } from "../sandbox/programs/resolve-programs.ts";
import { shapeOfCommand } from "../sandbox/shell/command-shape.ts";
import { visibleCommand } from "../sandbox/shell/visible-command.ts";
import {
  exactOf,
  outside,
  planCommand,
  programsOf,
  wallWords,
  type CommandPlan,
  type Wish,
} from "./exec-plan.ts";
import type { ExecParts } from "./exec-parts.ts";

/** Throws PincerError if it would start outside the workdir. */
export async function describeExec(parts: ExecParts, wish: Wish): Promise<CallDescription> {
  const plan = await planCommand(parts, wish);
  const held = holdDirectory(plan.cwd);
  if (!held) throw outside(wish.cwd ?? ".");
  try {
    const shape = shapeOf(plan);
    return {
      shown: visibleCommand(plan.command),
      command: {
        directory: visibleCommand(plan.cwd),
        environment: unusual(plan),
        programs: programsOf(plan).map(programWords),
        wall: wallWords(plan.choice),
      },
      exact: exactOf(plan, held.id),
      ...(shape !== undefined && { shape }),
    };
  } finally {
    held.release();
  }
}

function programWords({ name, type, file }: ResolvedProgram): string {
  const shown = visibleCommand(name);
  if (type === "shell") return `${shown} (a part of the shell)`;
  if (type === "missing") return `${shown} (not found)`;
  return file ? visibleCommand(file.path) : `${shown} (known only when it runs)`;
}

/** Variables that the owner added to the usual few, and those that the command sets. */
function unusual({ environment, reading }: CommandPlan): Record<string, string> {
  const listed = Object.entries(environment).filter(([name]) => !isUsualVariable(name));
  const commands = reading.type === "read" ? reading.commands : [];
  const set = commands.flatMap(({ assignments }) =>
    assignments.map(({ name, value }) => [name, value.text] as const),
  );
  return Object.fromEntries(
    [...listed, ...set].map(([name, value]) => [
      name,
      looksSecret(name) ? "(not shown)" : visibleCommand(value),
    ]),
  );
}

/**
 * Equal only for equal program, environment, shell and wall; undefined if no other command is certainly as harmless.
 */
function shapeOf(plan: CommandPlan): string | undefined {
  const { reading, workdir, cwd } = plan;
  const shape = shapeOfCommand(reading, { workdir, cwd });
  const [program] = programsOf(plan);
  if (!shape || (program?.type !== "file" && program?.type !== "shell")) return undefined;
  const { PWD: _, ...environment } = plan.environment;
  const around = createHash("sha256")
    .update(JSON.stringify([environment, plan.shell]))
    .digest("hex");
  // These operands depend on the directory.
  const place = shape.hasFreeOperands ? workdir : cwd;
  return JSON.stringify({
    ...shape,
    file: program.file?.path ?? "",
    place,
    wall: wallWords(plan.choice),
    around,
  });
}
