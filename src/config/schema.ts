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
    choice(
      "Smaller limits: seed allows 3 tool steps for ask and agent, 5 in the terminal chat and on Telegram.",
      "更小的限制：seed 允许 ask 和 agent 使用 3 个工具步骤，终端聊天和 Telegram 使用 5 个。",
      ["seed"],
    ),
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
  language: choice("Language of Pincer's own messages.", "Pincer 自身消息的语言。", ["auto", "en", "zh"], {
    default: "auto",
  }),
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
      'Addresses of this person or group, as "channel:id" or a mail address.',
      "此人或群组在何处，写作“channel:id”或地址。",
    ),
    { default: {} },
  ),
  approvals: section("Approval requests to the owner.", "向所有者提出的批准请求。", {
    waitSeconds: count(
      "How long an attended turn waits for an answer before it is parked.",
      "有人在场的回合等待答复多久后搁置。",
      { minimum: 1, default: 120 },
    ),
    keepHours: count(
      "Hours after which an unanswered request counts as denied.",
      "未答复的请求多少小时后视为拒绝。",
      { minimum: 1, default: 24 },
    ),
  }),
  policy: section("How calls of tools are judged.", "如何判断工具调用。", {
    planner: section(
      "The small request that reads from the owner's message what it asks for, before the first effect.",
      "在第一次产生影响之前，用一个小请求从所有者的消息中读出它要求什么。",
      {
        mode: choice(
          "off: no request is made; marks such as @Bob, standing grants and approvals decide alone.",
          "off：不发请求；只由 @Bob 这样的标记、长期授权和批准来决定。",
          ["auto", "off"],
          { default: "auto" },
        ),
        model: Type.Optional(
          text(
            "The model that is asked, as provider/model; default: that of the turn.",
            "所用模型，写作 provider/model；默认与回合相同。",
          ),
        ),
        timeoutMs: count("How long its answer may take, in milliseconds.", "等待其回答的时间，毫秒。", {
          minimum: 100,
          default: 20_000,
        }),
      },
    ),
  }),
  session: sessionSection,
  queue: queueSection,
  channels: named("The networks, by name.", "各网络，按名称。", channelSection, {
    default: {},
  }),
  tools: toolsSection,
  memory: memorySection,
  media: mediaSection,
  commands: commandsSection,
  logging: section("What is logged.", "记录哪些日志。", {
    level: choice(
      "Minimum level of lines in the log.",
      "记录的最低级别。",
      ["trace", "debug", "info", "warn", "error", "silent"],
      {
        default: "info",
      },
    ),
    maxBytes: count("Size at which the log file is rotated.", "日志文件达到此大小时轮换。", {
      minimum: 10_000,
      default: 10 * 1024 * 1024,
    }),
    keepFiles: count("How many rotated files are kept.", "保留多少个轮换的文件。", { default: 5 }),
  }),
  telemetry: section(
    "Traces for a collector that speaks OpenTelemetry.",
    "发给 OpenTelemetry 收集器的追踪。",
    {
      enabled: flag("Whether traces are sent.", "是否发送。", { default: false }),
      endpoint: Type.Optional(
        addressText(
          "Address of the collector, such as http://127.0.0.1:4318/v1/traces.",
          "发往何处，例如 http://127.0.0.1:4318/v1/traces。",
        ),
      ),
      headers: Type.Optional(
        named(
          "Headers for the collector.",
          "收集器需要的请求头。",
          secretText("Value of the header.", "请求头的值。"),
        ),
      ),
      sampleRatio: Type.Optional(
        Type.Number({
          ...described("Share of the messages that is traced.", "追踪消息的比例。"),
          minimum: 0,
          maximum: 1,
        }),
      ),
    },
  ),
  audit: section("The audit log: who did what.", "审计日志：谁做了什么。", {
    keepDays: count("Days that records are kept; 0 keeps them forever.", "记录保留的天数；0 表示永久保留。", {
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
      "Files or folders of plugins, as absolute paths; their code runs with Pincer's own permissions.",
      "插件的文件或文件夹，写完整路径；每个插件都是以 Pincer 自身权限运行的代码。",
      { default: [] },
    ),
  }),
};

export const ConfigSchema = section("Configuration of Pincer.", "Pincer 的配置。", {
  configVersion: count(
    "Version of these keys; older files are migrated when they are read.",
    "这些配置项的版本；读取旧文件时会自动更新。",
    { default: 1 },
  ),
  ...general,
  profile: Type.Optional(
    text(
      "The active profile, unless PINCER_PROFILE or --config-profile names another.",
      "启用的配置方案，除非 PINCER_PROFILE 或 --config-profile 另有指定。",
    ),
  ),
  profiles: Type.Record(
    Type.String(),
    Type.Unsafe<Record<string, unknown>>({
      ...overlayShape(Type.Object(general) as unknown as Shape),
      ...described("Keys that this profile overrides.", "此配置方案中不同的配置项。"),
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
