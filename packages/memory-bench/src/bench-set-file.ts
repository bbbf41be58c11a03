/** Sets of questions as files, for their owner alone: they hold what was remembered. */
import { resolve } from "node:path";
import { PincerError } from "@pincer/sdk";
import { readRegularFile } from "../../../src/config/read-regular-file.ts";
import { createPrivateFile, replacePrivateFile } from "../../../src/config/write-private-file.ts";
import { failure } from "../../../src/infra/failure.ts";
import { addQuestion } from "./add-question.ts";
import { parseBenchSet, type BenchSet } from "./bench-set.ts";

/** Adds a question to a set, after checking that the places exist. Throws PincerError; the file is as it was then. */
export async function addToBenchSet(
  { file, question, relevant }: { file: string; question: string; relevant: readonly string[] },
  cwd: string,
): Promise<{ id: string; questions: number }> {
  const { set, id } = addQuestion(await readBenchSet(file, cwd), { text: question, relevant });
  await written(file, replacePrivateFile(resolve(cwd, file), asText(set)));
  const questions = set.collections.reduce((sum, { queries }) => sum + queries.length, 0);
  return { id, questions };
}

/** Writes a new set. Throws PincerError; a file that is there already stays as it is. */
export async function createBenchSet(file: string, set: BenchSet, cwd: string): Promise<void> {
  if (await written(file, createPrivateFile(resolve(cwd, file), asText(set)))) return;
  throw failure("usage/bad-argument", "memory.bench.exists", { file }, { hint: "memory.bench.exists.hint" });
}

const asText = (set: BenchSet): string => `${JSON.stringify(set, null, 1)}\n`;

async function written<Result>(file: string, writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof PincerError) throw error;
    const reason = (error as Error).message;
    throw failure("usage/bad-argument", "memory.bench.unwritable", { file, reason }, { cause: error });
  }
}

/** Throws PincerError that says what is wrong with it. */
export async function readBenchSet(file: string, cwd: string): Promise<BenchSet> {
  let text: string;
  try {
    text = await readRegularFile(resolve(cwd, file));
  } catch (error) {
    const reason = (error as Error).message;
    throw failure("usage/not-found", "memory.bench.unreadable", { file, reason }, { cause: error });
  }
  return parseBenchSet(text, file);
}
