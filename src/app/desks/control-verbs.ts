/** The desks from which the house itself is steered, and what each can do. */
import type { Desk, VerbOf } from "./desk.ts";

export interface ControlDesks {
  agents: Desk<"agents">;
  channels: Desk<"channels">;
  config: Desk<"config">;
  health: Desk<"health">;
  logs: Desk<"logs">;
  send: Desk<"send">;
}

export const controlVerbs: { [Family in keyof ControlDesks]: ReadonlyArray<VerbOf<Family>> } = {
  agents: ["list", "add", "remove", "config", "configure"],
  channels: ["list", "status"],
  config: ["get", "set", "unset", "history", "diff", "revert", "schema"],
  health: ["get"],
  logs: ["tail"],
  send: ["message"],
};
