import { createBreath } from "../infra/breath.ts";

const stepBytes = 256 * 1024;

/** A large file piece by piece: whoever else wants the thread gets it in between. */
export async function* inSteps(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  const breath = createBreath();
  for (let at = 0; at < content.byteLength; at += stepBytes) {
    while (breath.isSpent()) await breath.turned();
    yield content.subarray(at, at + stepBytes);
  }
}
