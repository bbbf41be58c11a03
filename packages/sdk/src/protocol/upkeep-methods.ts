/** Maintenance: backups, status, and the doctor. */
import { Type } from "typebox";
import { answer, language, method } from "./method.ts";

export const upkeepMethods = {
  /** Reports progress as backup.progress. */
  "backup.create": method({
    params: {
      directory: Type.Optional(Type.String({ minLength: 1 })),
      withKey: Type.Boolean(),
    },
    result: answer<unknown>(),
    effect: "change",
    permission: "backup.create",
    scope: "tenant",
  }),
  "backup.list": method({
    params: { language },
    result: answer<unknown[]>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
  "backup.verify": method({
    params: { directory: Type.String({ minLength: 1 }), language },
    result: answer<unknown>(),
    effect: "read",
    // It looks at any place of the machine.
    permission: "backup.create",
    scope: "tenant",
  }),

  "status.get": method({
    params: { language },
    result: answer<unknown>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),

  /** Checks, and repairs nothing. Reports progress as doctor.progress. */
  "doctor.run": method({
    params: { language },
    result: answer<unknown>(),
    effect: "read",
    permission: "state.view",
    scope: "tenant",
  }),
};
