/**
 * The one declaration of config.json5. From it come the type, the check, the defaults, the settings form and
 * the JSON Schema that editors understand. A key with a default is always there in a loaded config.
 */
import { Type, type Static } from "typebox";
import { defaultConfig } from "./default-config.ts";
import { agentsSection, bindingSection } from "./schema/agents.ts";
import { budgetsSection } from "./schema/budgets.ts";
import { channelSection, commandsSection, queueSection, sessionSection } from "./schema/conversation.ts";
import { gatewaySection } from "./schema/gateway.ts";
import { hookSection } from "./schema/hooks.ts";
import {
  addressText,
  choice,
  count,
  fillsItself,
  flag,
  named,
  overlayShape,
  secretText,
  section,
  text,
  texts,
  type Shape,
} from "./schema/keys.ts";
import { authSection, modelsSection } from "./schema/models.ts";
import { mediaSection, memorySection, toolsSection } from "./schema/tools.ts";

const general = {
  edition: choice(
    "Set of defaults: one person's assistant, or a service for many.",
    ["personal", "enterprise"],
    {
      default: defaultConfig.edition,
    },
  ),
  preset: Type.Optional(choice("Older limits for the prompt and Telegram.", ["seed"])),
  owners: texts('Who owns this assistant, as "channel:id".', { default: defaultConfig.owners }),
  notify: section("Where notices for the owner go.", {
    to: Type.Optional(text('Who notices are sent to, as "channel:id" or "channel/account:id".')),
  }),
  language: choice("Language of what Pincer itself says.", ["auto", "en", "zh"], {
    default: defaultConfig.language,
  }),
  gateway: gatewaySection,
  models: modelsSection,
  auth: authSection,
  budgets: budgetsSection,
  agents: agentsSection,
  bindings: Type.Array(bindingSection, {
    description: "Which agent answers whom; the most specific rule wins.",
    default: defaultConfig.bindings,
  }),
  contacts: named(
    'Whom the assistant may write to when its owner names them: a name, and "channel:id"s or addresses.',
    texts('Where this person or group is, as "channel:id" or an address.'),
    { default: defaultConfig.contacts },
  ),
  approvals: section("Questions to the owner before something is done.", {
    waitSeconds: count("How long a turn that somebody attends waits for the answer before it is put aside.", {
      minimum: 1,
      default: defaultConfig.approvals.waitSeconds,
    }),
    keepHours: count("Hours after which a question that nobody answered counts as denied.", {
      minimum: 1,
      default: defaultConfig.approvals.keepHours,
    }),
  }),
  session: sessionSection,
  queue: queueSection,
  channels: named("Networks to talk on, by name.", channelSection, { default: defaultConfig.channels }),
  tools: toolsSection,
  memory: memorySection,
  media: mediaSection,
  commands: commandsSection,
  logging: section("What is logged.", {
    level: choice("How much.", ["trace", "debug", "info", "warn", "error", "silent"], {
      default: defaultConfig.logging.level,
    }),
    maxBytes: count("Size at which the log file is put aside and a new one begun.", {
      minimum: 10_000,
      default: defaultConfig.logging.maxBytes,
    }),
    keepFiles: count("How many that were put aside are kept.", { default: defaultConfig.logging.keepFiles }),
  }),
  telemetry: section("Traces for a collector that speaks OpenTelemetry.", {
    enabled: flag("Whether they are sent.", { default: defaultConfig.telemetry.enabled }),
    endpoint: Type.Optional(addressText("Where to, such as http://127.0.0.1:4318/v1/traces.")),
    headers: Type.Optional(named("Headers that the collector wants.", secretText("Value of the header."))),
    sampleRatio: Type.Optional(
      Type.Number({ description: "Which share of the messages is traced.", minimum: 0, maximum: 1 }),
    ),
  }),
  audit: section("The record of who did what.", {
    keepDays: count("Days that rows are kept; 0 keeps them for good.", {
      default: defaultConfig.audit.keepDays,
    }),
  }),
  hooks: named("Addresses under /hooks/ that other programs call, by name.", hookSection, {
    default: defaultConfig.hooks,
  }),
  plugins: section("Extensions.", {
    load: texts(
      "Files or folders of plugins, by their full path; each is code that runs with Pincer's own rights.",
      {
        default: defaultConfig.plugins.load,
      },
    ),
  }),
};

export const ConfigSchema = section("Configuration of Pincer.", {
  configVersion: count("Version of these keys; older files are brought up to date when they are read.", {
    default: defaultConfig.configVersion,
  }),
  ...general,
  profile: Type.Optional(
    text("Profile that is active unless PINCER_PROFILE or --config-profile names another."),
  ),
  profiles: Type.Record(
    Type.String(),
    Type.Unsafe<Record<string, unknown>>({
      ...overlayShape(Type.Object(general) as unknown as Shape),
      description: "Keys that this profile sets differently.",
      additionalProperties: false,
    }),
    { description: "Profiles: named overlays over the other keys.", default: defaultConfig.profiles },
  ),
});

export type Config = Static<typeof ConfigSchema>;

/** The schema as those see it who walk it rather than infer from it. */
export const configShape = ConfigSchema as unknown as Shape;

/** JSON Schema of the file as people write it: whatever has a default may be left out. */
export function configFileSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Pincer config.json5",
    ...relax(configShape),
  };
}

function relax(shape: Shape): Shape {
  const relaxed: Shape = { ...shape };
  if (shape.properties) {
    relaxed.properties = relaxAll(shape.properties);
    const required = (shape.required ?? []).filter((name) => !fillsItself(shape.properties?.[name] ?? {}));
    if (required.length > 0) relaxed.required = required;
    else delete relaxed.required;
  }
  if (shape.patternProperties) relaxed.patternProperties = relaxAll(shape.patternProperties);
  if (shape.items) relaxed.items = relax(shape.items);
  if (shape.anyOf) relaxed.anyOf = shape.anyOf.map(relax);
  return relaxed;
}

const relaxAll = (table: Record<string, Shape>) =>
  Object.fromEntries(Object.entries(table).map(([name, shape]) => [name, relax(shape)]));
