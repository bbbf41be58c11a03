/**
 * In which order the files run. Those that start the product come first, the longest of them at the very beginning, so
 * that all workers end together; those beside the sources follow in an order that the seed gives.
 */
import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { shuffled } from "./test-seed.ts";

export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isUnit = ({ project }: TestSpecification) => project.name === "unit";
    const others = files
      .filter((file) => !isUnit(file))
      .map((file) => ({ file, length: this.lengthOf(file) }));
    const longestFirst = others.sort((one, other) => other.length - one.length).map(({ file }) => file);
    return [
      ...longestFirst,
      ...shuffled(files.filter(isUnit), ({ moduleId }) => moduleId.slice(this.ctx.config.root.length)),
    ];
  }

  /** How many milliseconds it took the last time; its size in bytes stands in for that where it never ran. */
  private lengthOf(file: TestSpecification): number {
    return this.ctx.cache.getTestSpecificationResult(file)?.duration ?? statSync(file.moduleId).size;
  }
}
