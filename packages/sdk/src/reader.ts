/**
 * A stranger's document, read by a model that has no tools and no conversation. The result is the requested fields,
 * each checked for type and length, and nothing else of the document.
 */
import type { TObject } from "typebox";
import type { Origin } from "./provenance.ts";

export interface ReadRequest {
  text: string;
  /** Where the document comes from; the answer keeps it. */
  origin: Origin;
  from: string;
  /** What is looked for, in a sentence. */
  question?: string;
  /** Strings, numbers, whole numbers, booleans, choices, and lists of those, each with a description; what is optional may be left out. */
  fields: TObject;
}

export type ReadValue = string | number | boolean;

export type ReadAnswer =
  | { type: "read"; fields: Record<string, ReadValue | ReadValue[]>; origin: Origin; from: string }
  | { type: "unread"; reason: string };
