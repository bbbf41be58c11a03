/** When a turn is rehearsed: once after the start, as long as nobody asks anything. Whoever does meanwhile does not wait for it. */
import { collectGarbage } from "../../infra/small-heap.ts";
import type { Lanes } from "../../routing/lanes.ts";
import type { LazyModels } from "../models/connected-models.ts";
import type { HttpSide } from "./open-http.ts";
import type { RehearsalParts } from "./rehearse.ts";

export interface IdleParts extends Pick<RehearsalParts, "floor" | "outgoing"> {
  connected: Pick<LazyModels, "room">;
  lanes: Pick<Lanes, "load">;
  /** Undefined where nothing is served. */
  http: Pick<HttpSide, "loadAll"> | undefined;
  /** Aborts when the gateway stops. */
  stopping: AbortSignal;
}

/** Throws where the models' room cannot be opened. */
export async function rehearseWhenIdle({
  connected,
  lanes,
  http,
  stopping,
  ...parts
}: IdleParts): Promise<void> {
  const isIdle = () => Object.values(lanes.load()).every((turns) => turns === 0) && !stopping.aborted;
  if (!isIdle()) return;
  const room = await connected.room();
  if (!isIdle()) return;
  const { rehearse } = await import("./rehearse.ts");
  await http?.loadAll();
  await rehearse({ ...parts, room, isServed: http !== undefined, signal: stopping });
  // All that starting up has left behind is due to be collected: better now than within the first turn.
  if (isIdle()) collectGarbage();
}
