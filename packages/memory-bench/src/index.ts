/** The public face, for `pincer memory bench`, which loads it on demand. */
export {
  benchMemory,
  type BenchEmbedder,
  type MemoryBenchParts,
  type MemoryBenchReport,
} from "./bench-memory.ts";
export { addToBenchSet } from "./bench-set-file.ts";
export { makeBenchSet } from "./make-bench-set.ts";
