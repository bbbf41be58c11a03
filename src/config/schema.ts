/**
 * The one declaration of config.json5: each key with its type, its default and what it is for, in English and in Chinese. From it come the
 * type, the check, `default-config.ts`, the settings form in both languages, the table in docs/configuration.md and the JSON Schema that editors
 * understand. A key with a default is always there in a loaded config.
 */
import { Type, type Static } from "typebox";
import { agentsSection, bindingSection } from "./schema/agents.ts";
import { budgetsSection } from "./schema/budgets.ts";
import { channelSection, commandsSection, queueSection, sessionSection } from "./schema/conversation.ts";
import { gatewaySection } from "./schema/gateway.ts";
import { hookSection } from "./schema/hooks.ts";
import {
  addressText,
  choice,
  count,
  described,
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
    "默认值方案：个人助手，或面向多人的服务。",
    ["personal", "enterprise"],
    { default: "personal" },
  ),
  preset: Type.Optional(
    choice("Older limits for the prompt and Telegram.", "提示词和 Telegram 的旧版限制。", ["seed"]),
  ),
  owners: texts('Who owns this assistant, as "channel:id".', "谁是此助手的所有者，写作“channel:id”。", {
    default: [],
  }),
  notify: section("Where notices for the owner go.", "给所有者的通知发往何处。", {
    to: Type.Optional(
      text(
        'Who notices are sent to, as "channel:id" or "channel/account:id".',
        "通知发给谁，写作“channel:id”或“channel/account:id”。",
      ),
    ),
  }),
  language: choice(
    "Language of what Pincer itself says.",
    "Pincer 自身所说内容的语言。",
    ["auto", "en", "zh"],
    { default: "auto" },
  ),
  gateway: gatewaySection,
  models: modelsSection,
  auth: authSection,
  budgets: budgetsSection,
  agents: agentsSection,
  bindings: Type.Array(bindingSection, {
    ...described(
      "Which agent answers whom; the most specific rule wins.",
      "哪个智能体回答谁；最具体的规则优先。",
    ),
    default: [],
  }),
  contacts: named(
    'Whom the assistant may write to when its owner names them: a name, and "channel:id"s or addresses.',
    "所有者提到时助手可写给谁：一个名称，以及若干“channel:id”或地址。",
    texts(
      'Where this person or group is, as "channel:id" or an address.',
      "此人或群组在何处，写作“channel:id”或地址。",
    ),
    { default: {} },
  ),
  approvals: section("Questions to the owner before something is done.", "执行前向所有者提出的问题。", {
    waitSeconds: count(
      "How long a turn that somebody attends waits for the answer before it is put aside.",
      "有人在场的回合等待答复多久后搁置。",
      { minimum: 1, default: 120 },
    ),
    keepHours: count(
      "Hours after which a question that nobody answered counts as denied.",
      "无人答复的问题多少小时后视为拒绝。",
      { minimum: 1, default: 24 },
    ),
  }),
  session: sessionSection,
  queue: queueSection,
  channels: named("Networks to talk on, by name.", "用于交谈的网络，按名称。", channelSection, {
    default: {},
  }),
  tools: toolsSection,
  memory: memorySection,
  media: mediaSection,
  commands: commandsSection,
  logging: section("What is logged.", "记录哪些日志。", {
    level: choice("How much.", "记录多少。", ["trace", "debug", "info", "warn", "error", "silent"], {
      default: "info",
    }),
    maxBytes: count(
      "Size at which the log file is put aside and a new one begun.",
      "日志文件达到此大小时另存并新建。",
      { minimum: 10_000, default: 10 * 1024 * 1024 },
    ),
    keepFiles: count("How many that were put aside are kept.", "保留多少个另存的文件。", { default: 5 }),
  }),
  telemetry: section(
    "Traces for a collector that speaks OpenTelemetry.",
    "发给 OpenTelemetry 收集器的追踪。",
    {
      enabled: flag("Whether they are sent.", "是否发送。", { default: false }),
      endpoint: Type.Optional(
        addressText(
          "Where to, such as http://127.0.0.1:4318/v1/traces.",
          "发往何处，例如 http://127.0.0.1:4318/v1/traces。",
        ),
      ),
      headers: Type.Optional(
        named(
          "Headers that the collector wants.",
          "收集器需要的请求头。",
          secretText("Value of the header.", "请求头的值。"),
        ),
      ),
      sampleRatio: Type.Optional(
        Type.Number({
          ...described("Which share of the messages is traced.", "追踪消息的比例。"),
          minimum: 0,
          maximum: 1,
        }),
      ),
    },
  ),
  audit: section("The record of who did what.", "谁做了什么的记录。", {
    keepDays: count("Days that rows are kept; 0 keeps them for good.", "记录保留的天数；0 表示永久保留。", {
      default: 365,
    }),
  }),
  hooks: named(
    "Addresses under /hooks/ that other programs call, by name.",
    "供其他程序调用的 /hooks/ 下的地址，按名称。",
    hookSection,
    {
      default: {},
    },
  ),
  plugins: section("Extensions.", "扩展。", {
    load: texts(
      "Files or folders of plugins, by their full path; each is code that runs with Pincer's own rights.",
      "插件的文件或文件夹，写完整路径；每个插件都是以 Pincer 自身权限运行的代码。",
      { default: [] },
    ),
  }),
};

export const ConfigSchema = section("Configuration of Pincer.", "Pincer 的配置。", {
  configVersion: count(
    "Version of these keys; older files are brought up to date when they are read.",
    "这些配置项的版本；读取旧文件时会自动更新。",
    { default: 1 },
  ),
  ...general,
  profile: Type.Optional(
    text(
      "Profile that is active unless PINCER_PROFILE or --config-profile names another.",
      "启用的配置方案，除非 PINCER_PROFILE 或 --config-profile 另有指定。",
    ),
  ),
  profiles: Type.Record(
    Type.String(),
    Type.Unsafe<Record<string, unknown>>({
      ...overlayShape(Type.Object(general) as unknown as Shape),
      ...described("Keys that this profile sets differently.", "此配置方案中不同的配置项。"),
      additionalProperties: false,
    }),
    {
      ...described("Profiles: named overlays over the other keys.", "配置方案：覆盖其他配置项的命名组合。"),
      default: {},
    },
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
