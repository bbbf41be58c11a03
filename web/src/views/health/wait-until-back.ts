/** Waits for a gateway that is restarting. */

export interface BackParts {
  /** When the gateway that answers was started; rejects while none does. */
  startedAt(): Promise<string>;
  sleep(ms: number): Promise<void>;
}

const everyMs = 500;
const tries = 120;

/** True when another start answers; false when none has for a minute. */
export async function waitUntilBack(before: string, { startedAt, sleep }: BackParts): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) {
    await sleep(everyMs);
    const now = await startedAt().catch(() => before);
    if (now !== before) return true;
  }
  return false;
}
