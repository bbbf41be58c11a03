/** The arguments of a call as text: one field a line. */
import type { CallFieldView } from "./protocol/approval-views.ts";

/** What a value holds besides its first line is set in, so that it looks like no field. Pure. */
export const fieldsText = (fields: readonly Pick<CallFieldView, "name" | "value">[]): string =>
  fields
    .map(({ name, value }) => `${oneLine(name)}: ${value.replaceAll(/\r\n|[\n\r]/gu, "\n    ")}`)
    .join("\n");

/** Parts may be named by a model. */
const oneLine = (name: string): string => name.replaceAll(/\s+/gu, " ");
