import { defineTool, type MediaStore } from "@pincer/sdk";
import { Type } from "typebox";
import type { FilePart } from "../../sandbox/read-file-part.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { noFileLabels, type FileLabels } from "./file-labels.ts";
import { whereOf } from "./where.ts";

export interface ReadFileParts {
  files: Pick<WorkdirFiles, "readPart" | "reach">;
  /** Stores pictures for the model to see; without it they are only mentioned. */
  media?: Pick<MediaStore, "store"> | undefined;
  labels?: Pick<FileLabels, "of"> | undefined;
}

export const createReadFileTool = ({ files, media, labels = noFileLabels }: ReadFileParts) =>
  defineTool({
    name: "read",
    aliases: ["fs.read_file", "file.read", "read_file"],
    effect: "read",
    controls: { path: "path" },
    resultOrigin: "file",
    description: `Read a text file or an image ${whereOf(files)}.`,
    input: Type.Object({
      path: Type.String({ description: "Relative to the workdir" }),
      offset: Type.Optional(Type.Integer({ minimum: 1, description: "First line" })),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: "Lines" })),
      maxBytes: Type.Optional(Type.Integer({ default: 204_800, minimum: 1, maximum: 1_048_576 })),
    }),
    async run({ path, offset = 1, limit, maxBytes = 204_800 }) {
      const part = await files.readPart(path, { line: offset, lines: limit, maxBytes });
      const { size } = part;
      const label = await labels.of([part.version]);
      const read = { from: path, ...(label && { label }) };
      if (part.type === "text") {
        const truncated = part.next !== undefined;
        return { ...read, text: part.text + markOf(part, offset), details: { path, size, truncated } };
      }
      const kind = part.type === "image" ? part.mimeType : part.kind;
      const details = { path, size, kind };
      if (part.type === "binary" || !media)
        return { ...read, text: `${path} is not a text file: ${kind}, ${size} bytes`, details };
      const { media: kept, mimeType } = await media.store(part.bytes, { mimeType: kind, name: path });
      const images = [{ type: "image" as const, media: kept, mimeType }];
      return { ...read, text: `${path}: ${kind}, ${size} bytes`, images, details };
    },
  });

/** How to read on, if it was cut. */
function markOf({ size, next }: Extract<FilePart, { type: "text" }>, offset: number): string {
  if (next === undefined) return "";
  const how = next > offset ? `go on with offset ${next}` : "the line is longer than maxBytes";
  return `\n[cut: ${size} bytes in all; ${how}]`;
}
