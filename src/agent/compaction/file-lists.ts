/** Which files were read and which were changed, so that it is known after the messages are summarised. */
import type { Message, ToolCallBlock } from "@pincer/sdk";
import type { CompactionInput, FileOperations } from "./compaction.ts";

/** What was done to files by calls that succeeded, after what an earlier summary knew of. */
export function fileOperations(
  messages: readonly Message[],
  previous: CompactionInput["previous"],
): FileOperations {
  const read = new Set(previous?.readFiles);
  const edited = new Set(previous?.modifiedFiles);
  const written = new Set<string>();
  const sets = { read, written, edited };
  for (const call of succeeded(messages)) {
    const operation = operations.get(plainName(call.name));
    if (!operation) continue;
    const paths = operation === "patch" ? patchedPaths(call) : pathsOf(call);
    const set = sets[operation === "patch" ? "edited" : operation];
    for (const path of paths) {
      // The newest last: they are the ones that stay when there are too many.
      set.delete(path);
      set.add(path);
    }
  }
  return sets;
}

export interface FileLists {
  readFiles: string[];
  modifiedFiles: string[];
}

/** Sorted, each once; what was changed does not count as read. The newest `mostFiles` of each. */
export function fileLists({ read, written, edited }: FileOperations): FileLists & { leftOut: number } {
  const modified = [...new Set([...edited, ...written])];
  const only = [...read].filter((path) => !edited.has(path) && !written.has(path));
  const readFiles = only.slice(-mostFiles).sort();
  const modifiedFiles = modified.slice(-mostFiles).sort();
  const leftOut = only.length + modified.length - readFiles.length - modifiedFiles.length;
  return { readFiles, modifiedFiles, leftOut };
}

const mostFiles = 200;

type Operation = "read" | "written" | "edited" | "patch";

/** By the last part of the name, so that `fs.read_file` and `read_file` are the same. */
const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    read: [
      "read",
      "read_file",
      "list",
      "list_dir",
      "list_files",
      "ls",
      "search",
      "search_files",
      "grep",
      "find",
      "glob",
    ],
    written: ["write", "write_file", "create_file"],
    edited: ["edit", "edit_file", "str_replace"],
    patch: ["apply_patch", "patch"],
  } satisfies Record<Operation, string[]>).flatMap(([operation, names]) =>
    names.map((name): [string, Operation] => [name, operation as Operation]),
  ),
);

const plainName = (name: string): string => name.toLowerCase().split(".").at(-1) ?? name;

function succeeded(messages: readonly Message[]): ToolCallBlock[] {
  const calls = new Map<string, ToolCallBlock>();
  const done: ToolCallBlock[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") calls.set(block.id, block);
    } else if (message.role === "toolResult" && !message.isError) {
      const call = calls.get(message.toolCallId);
      if (call) done.push(call);
    }
  }
  return done;
}

const pathArguments = ["path", "file_path", "filePath", "file", "filename"];

function pathsOf({ arguments: given }: ToolCallBlock): string[] {
  return pathArguments
    .map((name) => given[name])
    .filter(isPlainPath)
    .slice(0, 1);
}

function patchedPaths(call: ToolCallBlock): string[] {
  const patches = ["input", "patch", "diff"].map((name) => call.arguments[name]);
  const named = patches
    .filter((patch) => typeof patch === "string")
    .flatMap((patch) => [...patch.matchAll(patchedFile)].map((match) => (match[1] ?? match[2])?.trim()));
  return [...named, ...pathsOf(call)].filter(isPlainPath);
}

const patchedFile =
  /^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)|\+\+\+ (?:b\/)?(?!\/dev\/null)([^\t\n]+).*)$/gmu;

/** The lists are lines between tags: a name that could be mistaken for either is left out. */
const isPlainPath = (path: unknown): path is string =>
  typeof path === "string" && path !== "" && path.length <= 300 && !/[\p{Cc}<>]/u.test(path);
