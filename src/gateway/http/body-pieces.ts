/**
 * The body of a request in pieces, within the same limits as a whole one: it reads from the network only as much as
 * somebody asks for.
 */
import type { IncomingMessage } from "node:http";
import type { Clock } from "../../infra/clock.ts";
import type { HttpFailure } from "./http-route.ts";
import { brokenOff, tooLarge, tooLate, type BodyLimits } from "./read-body.ts";

/** Throws HttpFailure 413 as soon as it is too large, 408, or 400 where the other side went away in the middle. */
export async function* bodyPieces(
  request: IncomingMessage,
  limits: BodyLimits,
  clock: Pick<Clock, "after">,
): AsyncGenerator<Buffer, void> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limits.bytes) throw tooLarge(limits.bytes);
  let isLate = false;
  let giveUp: ((why: HttpFailure) => void) | undefined;
  const stopTimer = clock.after(limits.withinMs, () => {
    isLate = true;
    giveUp?.(tooLate());
  });
  // The client needs the connection to read that it was too much.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, void>;
  /** Not a race of promises: the one that waits for the end of the time would keep every piece until then. */
  const next = () =>
    new Promise<IteratorResult<Buffer, void>>((resolve, reject) => {
      giveUp = reject;
      pieces.next().then(resolve, () => reject(brokenOff()));
    });
  let size = 0;
  try {
    for (;;) {
      if (isLate) throw tooLate();
      const piece = await next();
      if (piece.done === true) return;
      size += piece.value.length;
      if (size > limits.bytes) throw tooLarge(limits.bytes);
      yield piece.value;
    }
  } finally {
    stopTimer();
    // It may wait for a piece that never comes.
    pieces.return?.().catch(() => undefined);
  }
}
