/** When a turn is rehearsed: once after the start, as long as nobody asks anything. Whoever does meanwhile does not wait for it. */
import { existsSync } from "node:fs";
import { collectGarbage } from "../infra/small-heap.ts";
import type { Lanes } from "../routing/lanes.ts";
import { agentSettings } from "../agent/agent-settings.ts";
import { locateWorkdir } from "../config/locate-workdir.ts";
import type { LazyModels } from "../agent/models/connected-models.ts";
import type { Engine } from "../routing/engine.ts";
import type { GatewayContext } from "./gateway-context.ts";
import type { HttpSide } from "./open-http.ts";
import type { RehearsalParts } from "./rehearse.ts";

export interface IdleParts extends Pick<RehearsalParts, "gatewayContext" | "outgoing" | "effects"> {
  engine: Pick<Engine, "describeContext">;
  connected: Pick<LazyModels, "room">;
  lanes: Pick<Lanes, "load">;
  /** Undefined where nothing is served. */
  http: Pick<HttpSide, "loadAll"> | undefined;
  /** Aborts when the gateway stops. */
  stopping: AbortSignal;
}

/** Throws where the models' room cannot be opened. */
export async function rehearseWhenIdle({
  engine,
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
  if (isIdle() && hasWorkdir(parts.gatewayContext)) await lookAtOwn(engine);
  // All that starting up has left behind is due to be collected: better now than within the first turn.
  if (isIdle()) collectGarbage();
}

/** What the owner's own chat would show a model: its tools and its prompt are ready then. What is wrong with them the first turn will say. */
async function lookAtOwn({ describeContext }: Pick<Engine, "describeContext">): Promise<void> {
  await describeContext({}).catch(() => undefined);
}

/** Where there is none yet, the first turn makes it, not we. */
function hasWorkdir({ openedHome: { home, defaultAgentId }, parts, config }: GatewayContext): boolean {
  const { workspace: configured } = agentSettings(config(), defaultAgentId);
  const { cwd, environment } = parts;
  return existsSync(locateWorkdir({ flag: undefined, configured, cwd, environment, homeRoot: home.root }));
}
