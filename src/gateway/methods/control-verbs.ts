/** The APIs from which the house itself is steered, and what each can do. */
import type { Api, VerbOf } from "./api.ts";

export interface ControlApis {
  agents: Api<"agents">;
  channels: Api<"channels">;
  config: Api<"config">;
  health: Api<"health">;
  logs: Api<"logs">;
  reach: Api<"reach">;
  send: Api<"send">;
}

export const controlVerbs: { [Family in keyof ControlApis]: ReadonlyArray<VerbOf<Family>> } = {
  agents: ["list", "add", "remove", "config", "configure"],
  channels: ["list", "status", "kinds", "test", "add", "remove", "peers"],
  config: ["get", "set", "unset", "history", "diff", "revert", "file", "schema"],
  health: ["get"],
  logs: ["tail"],
  reach: ["status"],
  send: ["message"],
};
