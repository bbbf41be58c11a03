import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { noFileLabels, type FileLabels } from "./file-labels.ts";
import { whereOf } from "./where.ts";

const deadlineMs = 10_000;

export const createSearchFilesTool = (
  files: Pick<WorkdirFiles, "search" | "reach">,
  labels: Pick<FileLabels, "of"> = noFileLabels,
) =>
  defineTool({
    name: "search",
    aliases: ["file.search", "search_files", "grep"],
    effect: "read",
    controls: { path: "path" },
    resultOrigin: "file",
    description: `Find lines or names in files ${whereOf(files)}.`,
    input: Type.Object({
      query: Type.String({ minLength: 1 }),
      path: Type.Optional(Type.String()),
      glob: Type.Optional(Type.String()),
      regex: Type.Optional(Type.Boolean()),
      in: Type.Optional(Type.Enum(["text", "names"])),
      maxResults: Type.Optional(Type.Integer({ default: 50, minimum: 1, maximum: 500 })),
    }),
    async run({ query, path = ".", glob, regex = false, in: where = "text", maxResults = 50 }, { signal }) {
      const wanted = { query, path, glob, isExpression: regex, in: where, maxResults, signal, deadlineMs };
      const { hits, isCut, seen } = await files.search(wanted);
      const lines = hits.map((hit) =>
        hit.line === undefined ? hit.path : `${hit.path}:${hit.line}: ${hit.text}`,
      );
      if (isCut) lines.push(isCut === "enough" ? `[cut at ${maxResults}]` : "[stopped: it took too long]");
      const label = await labels.of(seen);
      return {
        text: lines.join("\n") || "(nothing found)",
        ...(label && { label }),
        details: { hits, isCut },
      };
    },
  });
