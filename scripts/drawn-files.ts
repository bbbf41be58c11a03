/**
 * Test files that take long because they kill, damage or attack a whole product again and again. `npm test` runs the
 * half of them that the seed draws, so that successive commits run all of them; `npm run test:deep` runs each.
 */
import { partOf, testSeed } from "./test-seed.ts";

export const longFiles = [
  "src/storage/home/mend-database.test.ts",
  "test/broken-disk.test.ts",
  "test/escape/runs-by-itself.test.ts",
  "test/escape/steering.test.ts",
  "test/fault-walk.test.ts",
  "test/gateway-storm.test.ts",
  "test/hostile-page.test.ts",
  "test/killed-streams.test.ts",
  "test/long-conversation-killed.test.ts",
  "test/lost-database.test.ts",
  "test/many-asks.test.ts",
  "test/old-homes.test.ts",
] as const;

/** What this run leaves out: nothing, where somebody runs files by name. */
export function leftOut(isDrawing: boolean, seed = testSeed): string[] {
  if (!isDrawing) return [];
  const drawn = new Set<string>(partOf(longFiles, 2, seed));
  return longFiles.filter((file) => !drawn.has(file));
}
