/** Which files of a workdir a text names. */
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";

/** Names of files in a text, as they are written there, that lead to exactly one file of the workdir. */
export async function filesNamed(files: Pick<WorkdirFiles, "stamp">, text: string): Promise<string[]> {
  const names = text.match(/[\p{L}\p{N}_./~-]+/gu) ?? [];
  const plain = names.map((name) => name.replace(/^\.\/|[.,;:!?]+$/gu, ""));
  const wanted = new Set(plain.filter((name) => !name.split("/").includes("..") && !name.startsWith("/")));
  return [...wanted].filter((name) => name !== "" && isThere(files, name));
}

const isThere = (files: Pick<WorkdirFiles, "stamp">, name: string): boolean => files.stamp(name) !== "";
