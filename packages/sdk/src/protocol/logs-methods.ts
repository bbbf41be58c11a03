/** What the gateway writes down about itself. */
import { Type } from "typebox";
import { answer, method } from "./method.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export type LogLevel = (typeof logLevels)[number];

export const logsMethods = {
  /**
   * The last lines of the log, oldest first; with `level` those of that weight or more. With `follow` they come as `logs.line`, and so does each new one,
   * until the connection closes or the gateway stops; then there is nothing in the answer.
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
  /** Ids and whatever else the line says: runId, sessionKey, channel, accountId… */
  fields: Record<string, unknown>;
}
