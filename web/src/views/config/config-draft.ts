/**
 * What somebody has changed and not yet written. Each change is at a path; one that only makes sense together with others (a group that
 * needs several keys, an item of a list that is new) is kept as one. Pure.
 */
import { formatPath, isTable, isWithin, readPath, withPath, type ConfigPath } from "@pincer/sdk";
import { fieldAt, type FormField } from "./form-model.ts";

export interface Change {
  path: ConfigPath;
  /** Undefined: it is taken out of the file. */
  value: unknown;
}

/** By the path as text. */
export type Draft = ReadonlyMap<string, Change>;

export const noChanges: Draft = new Map();

/** What a masked secret looks like; it is not to be written back. */
const mask = "***";

/** The config with the changes in it. */
export function withDraft(stored: unknown, draft: Draft): unknown {
  let value = stored;
  for (const { path, value: changed } of draft.values()) value = withPath(value, path, changed);
  return value;
}

/** The draft with one more change; setting what is stored already takes the change back. */
export function change(
  { form, stored, draft }: { form: FormField; stored: unknown; draft: Draft },
  path: ConfigPath,
  value: unknown,
): Draft {
  const unit = unitOf({ form, stored, draft }, path);
  const whole =
    unit.length === path.length
      ? value
      : withPath(readPath(withDraft(stored, draft), unit), path.slice(unit.length), value);
  const next = new Map([...draft].filter(([, each]) => !isWithin(each.path, unit)));
  if (!isSame(whole, readPath(stored, unit))) next.set(formatPath(unit), { path: unit, value: whole });
  return next;
}

/** As it is by default: taken out of the file, where it is in it. */
export function forget({ stored, draft }: { stored: unknown; draft: Draft }, path: ConfigPath): Draft {
  const next = new Map([...draft].filter(([, each]) => !isWithin(each.path, path)));
  if (readPath(stored, path) !== undefined) next.set(formatPath(path), { path, value: undefined });
  return next;
}

/** How far up a change reaches: to what was changed above it, to a group that is not there and needs more keys, to a list that has no such item. */
function unitOf(
  { form, stored, draft }: { form: FormField; stored: unknown; draft: Draft },
  path: ConfigPath,
): ConfigPath {
  for (let length = 1; length < path.length; length++) {
    const above = path.slice(0, length);
    if (draft.has(formatPath(above))) return above;
    const there = readPath(stored, above);
    const field = fieldAt(form, above);
    const isNewGroup = there === undefined && field?.kind === "section" && field.required.length > 0;
    if (isNewGroup) return above;
    const next = path[length];
    if (typeof next === "number" && (!Array.isArray(there) || next >= there.length)) return above;
    // A name that is new in a map comes with everything that it has.
    if (field?.kind === "map" && !(isTable(there) && Object.hasOwn(there, String(next))))
      return path.slice(0, length + 1);
  }
  return path;
}

/** Whether writing it would put the mask in the place of a secret. */
export const holdsMask = (value: unknown): boolean =>
  value === mask ||
  (Array.isArray(value) ? value.some(holdsMask) : isTable(value) && Object.values(value).some(holdsMask));

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : isTable(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => one.localeCompare(other))
            .map(([name, each]) => [name, sorted(each)]),
        )
      : value;
