/** src/config/default-config.ts, made from the config's schema, so that a default is written once. */
import { fillsItself, type Shape } from "../src/config/schema/keys.ts";

export function defaultConfigFile(config: Shape, channel: Shape): string {
  return `/**
 * What holds where nobody said anything. Made from the schema by \`npm run reference\`; a default is changed there. It is a file of its own
 * so that a start without a config file needs nothing but this object: no parser, no schema.
 */
import type { Config } from "./schema.ts";

export const defaultConfig: Config = ${print(defaultsOf(config))};

/** What holds for a channel that somebody named. */
export const defaultChannel: Config["channels"][string] = ${print(defaultsOf(channel))};
`;
}

/** Whatever is there without being written: keys with a default, and sections that are made of such keys. */
export function defaultsOf(shape: Shape): unknown {
  if (shape.default !== undefined) return shape.default;
  const keys = Object.entries(shape.properties ?? {}).filter(
    ([name, each]) => shape.required?.includes(name) && fillsItself(each),
  );
  return Object.fromEntries(keys.map(([name, each]) => [name, defaultsOf(each)]));
}

const widest = 110;

/** As the formatter would write it. */
function print(value: unknown, indent = "", before = 0): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((each) => print(each, deeper)).join(", ")}]`;
    if (indent.length + before + line.length + 1 <= widest) return line;
    return `[\n${value.map((each) => `${deeper}${print(each, deeper)},\n`).join("")}${indent}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, each]) => `${deeper}${name}: ${print(each, deeper, name.length + 2)},\n`,
  );
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
}
