/** The gateway's log. */
import { Type } from "typebox";
import { answer, method } from "./method.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export type LogLevel = (typeof logLevels)[number];

export const logsMethods = {
  /**
   * The last lines of the log, oldest first; with `level` only lines of that level or higher. With `follow` these and
   * all new lines are sent as `logs.line` until the connection closes or the gateway stops; the answer is then empty.
   */
  "logs.tail": method({
    params: {
      lines: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
      level: Type.Optional(Type.Enum([...logLevels])),
      follow: Type.Optional(Type.Boolean()),
    },
    result: answer<{ lines: LogLineView[] }>(),
    effect: "read",
    permission: "logs.view",
    scope: "tenant",
  }),
};

export interface LogLineView {
  time: string;
  level: LogLevel;
  message: string;
  /** Ids and other fields of the line: runId, sessionKey, channel, accountId… */
  fields: Record<string, unknown>;
}
