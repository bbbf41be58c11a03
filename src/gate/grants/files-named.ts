/** Files of the workdir that somebody's words name. */
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";

/** Names of files in a text, as they are written there, that lead to exactly one file of the workdir. */
export async function filesNamed(files: Pick<WorkdirFiles, "stamp">, text: string): Promise<string[]> {
  const names = text.match(/[\p{L}\p{N}_./~-]+/gu) ?? [];
  const plain = names.map((name) => name.replace(/^\.\/|[.,;:!?]+$/gu, ""));
  const wanted = new Set(plain.filter((name) => !name.split("/").includes("..") && !name.startsWith("/")));
  return [...wanted].filter((name) => name !== "" && isThere(files, name));
}

/** "My todo list" may mean todo.md: files at the top of the workdir, where one ending alone fits. */
export async function filesByWord(files: Pick<WorkdirFiles, "stamp">, text: string): Promise<string[]> {
  const words = new Set((text.match(/[\p{L}\p{N}_-]{3,40}/gu) ?? []).slice(0, mostWords));
  return [...words].flatMap((word) => {
    const found = usualEndings.map((ending) => `${word}.${ending}`).filter((name) => isThere(files, name));
    return found.length === 1 ? found : [];
  });
}

const usualEndings = ["md", "txt", "csv", "json"];
const mostWords = 100;

const isThere = (files: Pick<WorkdirFiles, "stamp">, name: string): boolean => files.stamp(name) !== "";
