import type { Say } from "../../infra/texts.ts";
import type { WallChoice } from "./wall.ts";

export interface WallReport {
  profile: WallChoice["profile"];
  /** Absent where nothing keeps programs in. */
  wall?: { kind: string; description: string; gaps: readonly string[] };
  /** All of it in a sentence, for people. */
  message: string;
  /** What to do next; absent where nothing needs to be done. */
  next?: string;
}

/** What programs are kept in by, for status and doctor. */
export function reportWall(choice: WallChoice, say: Say): WallReport {
  const { profile } = choice;
  if (choice.type === "unwalled") {
    const message = say("walls.report.unwalled", { reason: choice.reason });
    return { profile, message, next: choice.next || say("walls.next.engine") };
  }
  const { kind, description, gaps } = choice.wall;
  const said = { wall: description, profile, gaps: gaps.join(" ") };
  return {
    profile,
    wall: { kind, description, gaps },
    message: say(gaps.length > 0 ? "walls.report.gaps" : "walls.report.walled", said),
    ...(kind === "landlock" ? { next: say("walls.next.landlock") } : {}),
  };
}
