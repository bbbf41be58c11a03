/** Finds `secret:NAME` in a config where no secret has that name. Needs no key: the names alone tell. */
import { formatPath, isTable, type ConfigPath } from "@pincer/sdk";
import { problemOf, type Problem } from "./loaded-config.ts";
import { parseConfig } from "./parse-config.ts";
import { isHandle } from "./secret-keys.ts";

/** One warning for each place; none for a text that cannot be parsed. */
export function findMissingSecrets(text: string, file: string, names: ReadonlySet<string>): Problem[] {
  const parsed = parseConfig(text);
  if (parsed.type === "unparsable") return [];
  return [...handlesIn(parsed.value, [])]
    .filter(({ name }) => !names.has(name))
    .map(({ path, name }) =>
      problemOf(
        {
          severity: "warning",
          type: "missing-secret",
          file,
          ...parsed.locate(path),
          key: formatPath(path),
        },
        "config.problem.missing-secret",
        { name },
      ),
    );
}

function* handlesIn(value: unknown, path: ConfigPath): Generator<{ path: ConfigPath; name: string }> {
  if (typeof value === "string" && value.startsWith("secret:") && isHandle(value))
    yield { path, name: value.slice("secret:".length) };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* handlesIn(item, [...path, index]);
  else if (isTable(value))
    for (const [name, item] of Object.entries(value)) yield* handlesIn(item, [...path, name]);
}
