/**
 * Generates docs/commands.md from the command line, docs/protocol.md from the protocol's declarations, and from the config
 * schema the table of keys in docs/configuration.md and the defaults in src/config. `--check` only compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { configFileSchema, configShape } from "../src/config/schema.ts";
import { channelSection } from "../src/config/schema/conversation.ts";
import type { Shape as ConfigKeyShape } from "../src/config/schema/keys.ts";
import { defaultConfigFile } from "./default-config-file.ts";
import { createFullProgram } from "./full-program.ts";
import { protocolReference } from "./protocol-reference.ts";
import { wrapProse } from "./wrap-prose.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function commandReference(): Promise<string> {
  const program = await createFullProgram("en", "");
  const sections = program.commands.flatMap((command) =>
    describeCommand(command, `pincer ${command.name()}`),
  );
  return `# Commands

Generated from the command line itself by \`npm run reference\`. Exit status: 0 done, 1 failed, 2 wrong usage. With \`--json\`
a command prints one JSON document on stdout and nothing else; messages for people go to stderr.

${sections.join("\n")}`;
}

function describeCommand(command: Command, name: string): string[] {
  const options = command.options.filter((option) => !option.hidden);
  const lines = [
    `## \`${name}\``,
    "",
    `${sentence(command.description())}${command.alias() ? ` Also called \`${command.alias()}\`.` : ""}`,
    "",
  ];
  if (command.commands.length === 0) lines.push(`    ${name} ${command.usage()}`, "");
  const rows = [
    ...command.registeredArguments.map((argument) => [argument.name(), argument.description]),
    ...options.map((option) => [option.flags, option.description]),
  ];
  if (rows.length > 0) {
    lines.push(
      "| | |",
      "|---|---|",
      ...rows.map(([left, right]) => `| \`${left}\` | ${cell(right ?? "")} |`),
      "",
    );
  }
  return [
    lines.join("\n"),
    ...command.commands.flatMap((child) => describeCommand(child, `${name} ${child.name()}`)),
  ];
}

interface Shape {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  items?: Shape;
  secret?: boolean;
}

export function configTable(): string {
  const rows = walk(configFileSchema() as Shape, "");
  return ["| key | value | default | what it is |", "|---|---|---|---|", ...rows].join("\n");
}

function walk(shape: Shape, path: string): string[] {
  const below = Object.entries(shape.properties ?? {}).flatMap(([name, child]) => {
    const key = path ? `${path}.${name}` : name;
    const own = child.properties || freeNames(child) ? [] : [row(child, key)];
    return [...own, ...walk(child, key)];
  });
  const free = freeNames(shape);
  if (!free) return below;
  const key = `${path}.<name>`;
  return [...below, ...(free.properties ? walk(free, key) : [row(free, key)])];
}

const freeNames = (shape: Shape): Shape | undefined => {
  const free = shape.patternProperties
    ? Object.values(shape.patternProperties)[0]
    : shape.additionalProperties;
  return typeof free === "object" ? free : undefined;
};

function row(shape: Shape, key: string): string {
  const standard = shape.default === undefined ? "" : `\`${JSON.stringify(shape.default)}\``;
  const secret = shape.secret ? " Secret." : "";
  return `| \`${key}\` | ${cell(kindOf(shape))} | ${cell(standard)} | ${cell((shape.description ?? "") + secret)} |`;
}

function kindOf(shape: Shape): string {
  if (shape.enum) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.anyOf) return shape.anyOf.map(kindOf).join(" or ");
  if (shape.type === "array") return `list of ${shape.items ? kindOf(shape.items) : "anything"}`;
  return shape.type ?? "anything";
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const sentence = (text: string) => (text ? `${text[0]?.toUpperCase()}${text.slice(1)}.` : "");

/** Each file with its expected content. */
export async function references(): Promise<Record<string, string>> {
  const page = readFileSync(join(root, "docs/configuration.md"), "utf8");
  const [before = "", rest = ""] = page.split(/(?<=<!-- keys -->\n)/);
  const after = rest.slice(rest.indexOf("<!-- end of keys -->"));
  return {
    "src/config/default-config.ts": defaultConfigFile(
      configShape,
      channelSection as unknown as ConfigKeyShape,
    ),
    "docs/commands.md": await commandReference(),
    "docs/protocol.md": `<!-- oxfmt-ignore-start -->\n\n${wrapProse(protocolReference())}\n<!-- oxfmt-ignore-end -->\n`,
    "docs/configuration.md": `${before}\n<!-- oxfmt-ignore-start -->\n\n${configTable()}\n\n<!-- oxfmt-ignore-end -->\n\n${after}`,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await references())) {
    const file = join(root, path);
    if (!process.argv.includes("--check")) writeFileSync(file, text);
    else if (readFileSync(file, "utf8") !== text) {
      process.stderr.write(`${path} is out of date: run \`npm run reference\`\n`);
      process.exitCode = 1;
    }
  }
}
