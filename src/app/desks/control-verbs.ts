/** The desks from which the house itself is steered, and what each can do. */
import type { Desk, VerbOf } from "./desk.ts";

export interface ControlDesks {
  agents: Desk<"agents">;
  channels: Desk<"channels">;
  config: Desk<"config">;
  health: Desk<"health">;
  logs: Desk<"logs">;
  reach: Desk<"reach">;
  send: Desk<"send">;
}

export const controlVerbs: { [Family in keyof ControlDesks]: ReadonlyArray<VerbOf<Family>> } = {
  agents: ["list", "add", "remove", "config", "configure"],
  channels: ["list", "status", "kinds", "test", "add", "remove", "peers"],
  config: ["get", "set", "unset", "history", "diff", "revert", "file", "schema"],
  health: ["get"],
  logs: ["tail"],
  reach: ["status"],
  send: ["message"],
};
