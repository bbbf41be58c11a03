/** What becomes of an event whose arguments were taken out, whatever its format. */
import type { ArgumentBuffer, ShelvedArguments } from "./argument-buffer.ts";

/**
 * `keep`: as it came. `drop`: nothing in it but arguments, in `onlyPieceOf` one piece of these. Else what stands in its place; `name` is
 * the line for an event of another name.
 */
export type Lifted =
  | "keep"
  | "drop"
  | { onlyPieceOf: ShelvedArguments }
  | Array<{ name?: string; value: unknown }>;

/** For one answer: takes the arguments out of each event, which it may change. */
export type BeginLifting = (shelf: ArgumentBuffer) => (event: unknown) => Lifted;

/** Some servers send the object itself. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** What goes on in place of a piece: the stand-in with the first that says something, nothing with the others. */
export function lifted(place: ShelvedArguments, piece: string): string {
  place.append(piece);
  if (place.isAnnounced || piece === "") return "";
  place.isAnnounced = true;
  return place.standIn;
}

/** Those of arguments whose stand-in is still to be given out must each be looked at. */
export const nothingElse = (place: ShelvedArguments): Lifted =>
  place.isAnnounced ? { onlyPieceOf: place } : "drop";
