import { createLoopYield } from "../../infra/loop-yield.ts";

const stepBytes = 256 * 1024;

/** A large file piece by piece, yielding to other work in between. */
export async function* inSteps(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  const loopYield = createLoopYield();
  for (let at = 0; at < content.byteLength; at += stepBytes) {
    while (loopYield.isSpent()) await loopYield.turned();
    yield content.subarray(at, at + stepBytes);
  }
}
