/** Looking after the house: backups, how everything is, and what is wrong with it. */
import { Type, type TObject } from "typebox";
import { change, language, read, type Method } from "./method.ts";

export const upkeepMethods = {
  /** Tells how far it is as backup.progress. */
  "backup.create": change({
    directory: Type.Optional(Type.String({ minLength: 1 })),
    withKey: Type.Boolean(),
  }),
  "backup.list": read({ language }),
  "backup.verify": read({ directory: Type.String({ minLength: 1 }), language }),

  "status.get": read({ language }),

  /** Looks and repairs nothing. Tells how far it is as doctor.progress. */
  "doctor.run": read({ language }),
} as const satisfies Record<string, Method<TObject>>;

export interface UpkeepResults {
  "backup.create": unknown;
  "backup.list": unknown[];
  "backup.verify": unknown;
  "status.get": unknown;
  "doctor.run": unknown;
}
