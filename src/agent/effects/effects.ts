/**
 * What agents act with outside the conversation: programs behind walls, the broker, and undo. One per process; nothing
 * is loaded or started before its first use.
 */
import type { Tool } from "@pincer/sdk";
import type { SendScout } from "../../tools/web/research.ts";
import type { Undo } from "../../sandbox/snapshots/open-undo.ts";
import type { DryCopies } from "../../sandbox/dry-copies.ts";
import type { WorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import type { WallChoice } from "../../sandbox/walls/wall.ts";

export interface Effects extends Pick<
  Undo,
  "keep" | "removed" | "changedBy" | "unseen" | "turnEnded" | "snapshots" | "tidy"
> {
  /** The tools that reach beyond the files of a workdir, as they work there. Quick: nothing is started. Without `sendScout` no turns are run. */
  toolsIn(workdir: string, sendScout?: SendScout): Tool[];
  /** Those of a scout: they read the public web, and nothing of this machine and its network. */
  scoutTools(): Tool[];
  /** Remembers where workdirs really are; shared with everything that works in them. */
  keeper: WorkdirRegistry;
  /** Changes whenever the config gives other tools than before. */
  stamp(): string;
  /** Copies of workdirs for dry runs. */
  copies: DryCopies;
  /** What programs run behind. Never throws. */
  wall(): Promise<WallChoice>;
  /** What an earlier process left is ended and noted. Never throws: what fails is told. */
  recover(): Promise<void>;
  /** Ends what runs. Safe to call twice. */
  close(): Promise<void>;
}
