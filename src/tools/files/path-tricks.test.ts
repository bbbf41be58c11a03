import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createEditFileTool } from "./edit-file.ts";
import { createListFilesTool } from "./list-files.ts";
import { createReadFileTool } from "./read-file.ts";
import { createSearchFilesTool } from "./search-files.ts";
import { canary, createPathStage, type PathStage } from "./testing/path-stage.ts";
import { type PathTrick, pathTricks, type Verb } from "./testing/path-tricks.ts";
import { createWriteFileTool } from "./write-file.ts";

const verbs: Verb[] = [
  "read",
  "list",
  "search",
  "edit",
  "patch",
  "write",
  "append",
  "remove",
  "moveFrom",
  "moveTo",
];

describe("SAFE-05 SAFE-07 paths that try to leave the workdir", () => {
  it("are many", () => {
    expect(pathTricks.length).toBeGreaterThanOrEqual(150);
  });

  it.each(pathTricks)(
    "%s",
    async (_title, trick) => {
      const tried = verbs.filter((verb) => verb !== "patch" || !trick.notInPatch);
      const seen = await tryAll(trick, tried);
      const expected = tried.map((verb) => (shouldWork(trick, verb) ? "done" : "refused"));
      expect(named(tried, seen)).toEqual(named(tried, expected));
    },
    30_000,
  );
});

const named = (tried: readonly Verb[], outcomes: readonly string[]) =>
  tried.map((verb, index) => `${verb}: ${outcomes[index]}`);

/** A stage serves until something was done on it. */
async function tryAll(trick: PathTrick, tried: readonly Verb[]): Promise<string[]> {
  const outcomes: string[] = [];
  let stage = setUp(trick);
  try {
    for (const verb of tried) {
      const outcome = await tryOne(stage, trick, verb);
      outcomes.push(outcome);
      if (outcome === "refused" || isReading.has(verb)) continue;
      stage.remove();
      stage = setUp(trick);
    }
  } finally {
    stage.remove();
  }
  return outcomes;
}

const isReading = new Set<Verb>(["read", "list", "search"]);

function setUp(trick: PathTrick): PathStage {
  const stage = createPathStage();
  trick.set?.(stage);
  return stage;
}

/** What came of it; anything but `done` and `refused` is a way out, or a question that nobody answered. */
async function tryOne(stage: PathStage, trick: PathTrick, verb: Verb): Promise<string> {
  const path = typeof trick.path === "string" ? trick.path : trick.path(stage);
  const before = stage.outside();
  const said = await attempt(stage, verb, path);
  if (stage.outside() !== before) return "something outside was changed";
  if (said.text.includes(canary)) return "something outside was read";
  if (said.type === "threw") return isClear(said.error) ? "refused" : `unclear: ${String(said.error)}`;
  return landed(stage, trick, verb) ? "done" : "done elsewhere";
}

type Said = { type: "answered"; text: string } | { type: "threw"; text: string; error: unknown };

async function attempt(stage: PathStage, verb: Verb, path: string): Promise<Said> {
  try {
    return { type: "answered", text: await call(stage, verb, path) };
  } catch (error) {
    return { type: "threw", text: String(error), error };
  }
}

async function call({ work, base }: PathStage, verb: Verb, path: string): Promise<string> {
  const files = createWorkdirFiles({ workdir: work, closed: join(base, "home") });
  const context = { callId: "c", sessionKey: "s", signal: new AbortController().signal };
  const text = async (answer: Promise<{ text: string }>) => (await answer).text;
  switch (verb) {
    case "read":
      return text(createReadFileTool({ files }).run({ path, offset: 1, maxBytes: 1000 }, context));
    case "list":
      return text(createListFilesTool(files).run({ path, recursive: true, maxDepth: 9 }, context));
    case "search": {
      const wanted = { query: "old", path, regex: false, in: "text", maxResults: 50 };
      return text(createSearchFilesTool(files).run(wanted, context));
    }
    case "write":
      return text(createWriteFileTool(files).run({ path, content: "new\n" }, context));
    case "edit":
      return text(
        createEditFileTool(files).run({ path, oldText: "old", newText: "new", all: false }, context),
      );
    case "patch": {
      const patch = `*** Begin Patch\n*** Update File: ${path}\n-old\n+new\n*** End Patch`;
      return text(createApplyPatchTool(files).run({ patch }, context));
    }
    case "append":
      await files.append(path, 1000, () => "new\n");
      return "";
    case "remove":
      await files.remove(path);
      return "";
    case "moveFrom":
      await files.move(path, "moved.txt");
      return "";
    case "moveTo":
      await files.move("sub/deep/x.txt", path);
      return "";
  }
}

const isClear = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof TypeError) && !("errno" in error) && error.message !== "";

function shouldWork({ means, endsWithLink = false, except = {} }: PathTrick, verb: Verb): boolean {
  const told = except[verb];
  if (told !== undefined) return told;
  const isFile = means !== "refused" && "file" in means;
  const isDirectory = means !== "refused" && "directory" in means;
  const isNew = means !== "refused" && "new" in means;
  const works: Record<Verb, boolean> = {
    read: isFile,
    list: isDirectory,
    search: isFile || isDirectory,
    edit: isFile,
    patch: isFile,
    write: isFile || isNew,
    append: isFile || isNew,
    remove: endsWithLink || isFile,
    moveFrom: isFile && !endsWithLink,
    moveTo: isNew && !endsWithLink,
  };
  return works[verb];
}

/** Whether what was changed is where the path leads. */
function landed({ work }: PathStage, { means, endsWithLink }: PathTrick, verb: Verb): boolean {
  const at = means === "refused" || "directory" in means ? "" : "file" in means ? means.file : means.new;
  if (at === "") return true;
  const place = join(work, at);
  if (verb === "write" || verb === "edit" || verb === "patch") return readFileSync(place, "utf8") === "new\n";
  if (verb === "append") return readFileSync(place, "utf8").endsWith("new\n");
  if (verb === "moveTo") return readFileSync(place, "utf8") === "old\n";
  if (verb === "moveFrom") return !existsSync(place) && existsSync(join(work, "moved.txt"));
  if (verb === "remove") return endsWithLink === true || !existsSync(place);
  return true;
}
