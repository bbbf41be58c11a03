import { isTable, readPath, withPath, type ConfigPath } from "@pincer/sdk";
/**
 * Older spellings, brought up to date. A migration is a list of moves from an old place to its new one; moving
 * is pure and total: it takes any value whatever and gives back one of the newest version. What already stands
 * at the new place wins.
 */

export const newestConfigVersion = 1;

export interface Move {
  from: ConfigPath;
  to: ConfigPath;
  /** False when the new place was taken and the old value is dropped. */
  moved: boolean;
}

export interface Migrated {
  value: unknown;
  moves: Move[];
  /** The version that the value said it has; above the newest, it was written by a newer Pincer. */
  version: number;
}

/** Each step takes a value from its index to the next version by finding what to move in it. */
const steps: Array<(value: Record<string, unknown>) => Array<{ from: ConfigPath; to: ConfigPath }>> = [
  (value) => [
    ...spreadOut(value, ["agent"], ["agents", "defaults"]),
    ...textOnly(value, ["agents", "defaults", "model"], ["agents", "defaults", "model", "primary"]),
    ...textOnly(value, ["model"], ["agents", "defaults", "model", "primary"]),
    ...present(value, ["routing", "bindings"], ["bindings"]),
    ...present(
      value,
      ["agents", "defaults", "restrict_to_workspace"],
      ["agents", "defaults", "restrictToWorkspace"],
    ),
    ...present(value, ["session", "identity_links"], ["session", "identityLinks"]),
    ...present(value, ["identity_links"], ["session", "identityLinks"]),
  ],
];

export function migrateConfig(value: unknown): Migrated {
  if (!isTable(value)) return { value, moves: [], version: newestConfigVersion };
  const said = Object.hasOwn(value, "configVersion") ? value["configVersion"] : 0;
  const version = typeof said === "number" && Number.isSafeInteger(said) && said >= 0 ? said : 0;
  if (version >= newestConfigVersion) return { value, moves: [], version };

  let migrated: Record<string, unknown> = value;
  const moves: Move[] = [];
  for (const step of steps.slice(version)) {
    // A move may uncover the next one (agent.model, then agents.defaults.model), so the step is asked again.
    for (let next = step(migrated)[0]; next; next = step(migrated)[0]) {
      const applied = applyMove(migrated, next);
      migrated = applied.value;
      moves.push({ ...next, moved: applied.moved });
    }
  }
  return { value: { ...migrated, configVersion: newestConfigVersion }, moves, version };
}

function applyMove(value: Record<string, unknown>, { from, to }: { from: ConfigPath; to: ConfigPath }) {
  const carried = readPath(value, from);
  let rest = withPath(value, from, undefined);
  if (readPath(rest, to) !== undefined || !reachable(rest, to)) return { value: asTable(rest), moved: false };
  rest = withPath(rest, to, carried);
  // A group that was emptied by the move goes with it.
  const parent = from.slice(0, -1);
  const left = parent.length > 0 ? readPath(rest, parent) : undefined;
  if (isTable(left) && Object.keys(left).length === 0) rest = withPath(rest, parent, undefined);
  return { value: asTable(rest), moved: true };
}

/** Whether everything above the place is a group or absent, so that nothing is overwritten on the way. */
function reachable(value: unknown, path: ConfigPath): boolean {
  return path.slice(0, -1).every((_, index) => {
    const above = readPath(value, path.slice(0, index + 1));
    return above === undefined || isTable(above);
  });
}

function spreadOut(value: unknown, from: ConfigPath, to: ConfigPath) {
  const group = readPath(value, from);
  if (!isTable(group)) return [];
  return Object.keys(group).map((name) => ({ from: [...from, name], to: [...to, name] }));
}

const present = (value: unknown, from: ConfigPath, to: ConfigPath) =>
  readPath(value, from) === undefined ? [] : [{ from, to }];

const textOnly = (value: unknown, from: ConfigPath, to: ConfigPath) =>
  typeof readPath(value, from) === "string" ? [{ from, to }] : [];

const asTable = (value: unknown): Record<string, unknown> => (isTable(value) ? value : {});
