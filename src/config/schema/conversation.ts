/** Sessions, queue and channels: how people reach an agent. */
import { Type } from "typebox";
import { choice, count, described, flag, named, people, secretText, section, text, texts } from "./keys.ts";

export const sessionSection = section("How messages are assigned to sessions.", "消息如何归入会话。", {
  dmScope: choice(
    "Which of the owner's direct chats share a session; everybody else always has their own.",
    "所有者的哪些私聊共用一个会话；其他人始终各自独立。",
    ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"],
    { default: "main" },
  ),
  reset: section("When a new session starts in a chat.", "聊天会话何时重新开始。", {
    mode: choice(
      "Daily and when idle, only when idle, or never automatically.",
      "每天并在闲置时、仅在闲置时，或从不自动重置。",
      ["daily", "idle", "manual"],
      { default: "daily" },
    ),
    atHour: count("Hour of the daily reset.", "每日重置的时刻（小时）。", { maximum: 23, default: 4 }),
    idleMinutes: count("Idle minutes after which a new session starts.", "闲置多少分钟后开始新会话。", {
      minimum: 1,
      default: 240,
    }),
    carry: choice(
      "Which new sessions start with the summary of the previous one: automatic ones, every one, or none.",
      "哪些新会话以上一会话的摘要开头：自动开始的、全部，或都不。",
      ["automatic", "always", "never"],
      { default: "automatic" },
    ),
  }),
  identityLinks: named(
    'One person on several channels: a name and their "channel:id"s.',
    "同一人在多个频道上：一个名称及其各“channel:id”。",
    texts('Who this person is on each channel, as "channel:id".', "此人在各频道上的身份，写作“channel:id”。"),
    { default: {} },
  ),
});

export const queueSection = section(
  "What happens to messages that arrive during a turn.",
  "回合进行中到达的消息如何处理。",
  {
    mode: choice(
      "steer: add it to the running turn; followup: one turn for each afterwards; collect: one turn for all; interrupt: stop and start anew.",
      "steer：加入进行中的回合；followup：之后各成一回合；collect：全部合成一回合；interrupt：停止并重新开始。",
      ["steer", "followup", "collect", "interrupt"],
      { default: "steer" },
    ),
    debounceMs: Type.Optional(
      count("How long to collect a burst of messages, in milliseconds.", "连续消息合并等待多久，毫秒。"),
    ),
    cap: count(
      "How many messages may wait in one session; beyond that the sender is told.",
      "单个会话最多等待的消息数；超出时告知发送者。",
      { minimum: 1, default: 20 },
    ),
    concurrency: count(
      "How many turns run at the same time, across all sessions.",
      "所有会话中同时进行的回合数。",
      { minimum: 1, default: 16 },
    ),
  },
);

/** Open: a connector brings keys of its own and checks them itself. */
export const channelSection = Type.Object(
  {
    enabled: flag("Whether the channel is started.", "是否启动此频道。", { default: true }),
    botToken: Type.Optional(secretText("Token of the bot.", "机器人的令牌。")),
    appToken: Type.Optional(
      secretText("Token of the app, for channels that have two.", "应用的令牌，用于有两个令牌的频道。"),
    ),
    token: Type.Optional(secretText("Token of the account.", "账号的令牌。")),
    accessToken: Type.Optional(secretText("Access token of the account.", "账号的访问令牌。")),
    appSecret: Type.Optional(secretText("Secret of the app.", "应用的机密。")),
    signingSecret: Type.Optional(
      secretText("Secret that signs requests from the network.", "为网络所发内容签名的机密。"),
    ),
    webhookSecret: Type.Optional(
      secretText("Secret that the network sends with its requests.", "网络调用时出示的机密。"),
    ),
    encryptKey: Type.Optional(secretText("Key that the network encrypts with.", "网络用于加密的密钥。")),
    password: Type.Optional(secretText("Password of the account.", "账号的密码。")),
    apiRoot: Type.Optional(
      text("Address of the network's API, if it is not the public one.", "网络 API 的地址（若非公共地址）。"),
    ),
    dmPolicy: choice(
      "Who may write directly.",
      "谁可以直接写消息。",
      ["pairing", "allowlist", "open", "disabled"],
      { default: "pairing" },
    ),
    allowFrom: people(
      "Who is allowed without pairing; with allowlist, empty means nobody.",
      "哪些人无需配对；在 allowlist 下为空表示没有人。",
      { default: [] },
    ),
    groupPolicy: Type.Optional(
      choice("Which groups are answered.", "回答哪些群组。", ["allowlist", "open", "disabled"]),
    ),
    groups: Type.Optional(
      people(
        "Ids of the groups that are answered; with allowlist, empty means none.",
        "回答的群组 id；在 allowlist 下为空表示没有。",
      ),
    ),
    groupAllowFrom: Type.Optional(
      people(
        "Ids of the people who are heard in groups, besides owners; empty hears everybody there.",
        "在群组中听取哪些人（所有者除外）的 id；为空表示听取群内所有人。",
      ),
    ),
    requireMention: Type.Optional(
      flag(
        "Whether messages in a group are answered only if they mention the assistant.",
        "是否只回答群组中提到助手的消息。",
      ),
    ),
    uncertain: Type.Optional(
      choice(
        "What is done about a message that may or may not have arrived, where the network cannot tell: repeat it, marked as such, or not.",
        "网络无法说明消息是否送达时怎么办：带标记重发，或不重发。",
        ["repeat", "none"],
      ),
    ),
    streaming: Type.Optional(
      choice(
        "How a growing answer is shown: only when complete, as a message that is edited, or in finished blocks (see agents.defaults.blockStreamingBreak).",
        "增长中的回答如何显示：完整后才显示、以可编辑的消息显示，或分段显示（见 agents.defaults.blockStreamingBreak）。",
        ["off", "edit", "blocks"],
      ),
    ),
    workingReaction: Type.Optional(
      text(
        "Reaction to a message while it is being processed, such as 👀, if the network has reactions.",
        "处理消息时加上的标记，例如 👀（若网络支持）。",
      ),
    ),
    dmHistoryLimit: Type.Optional(
      count(
        "Earlier turns of a direct chat that a request shows at most, besides the present one; where there are more, at least half as many.",
        "一次请求除本回合外最多显示的私聊早先回合数；若有更多，至少显示一半。",
      ),
    ),
    dms: Type.Optional(
      named(
        "Overrides for single people, by id.",
        "对个别人的不同设置，按 id。",
        section("One person.", "一个人。", {
          historyLimit: Type.Optional(
            count(
              "Earlier turns that a request shows at most, besides the present one.",
              "一次请求除本回合外最多显示的早先回合数。",
            ),
          ),
        }),
      ),
    ),
    accounts: Type.Optional(
      named(
        "Several accounts on this network, by name.",
        "此网络上的多个账号，按名称。",
        named("Settings of one account.", "一个账号的各项设置。", Type.Unknown()),
      ),
    ),
  },
  { ...described("One network.", "一个网络。"), additionalProperties: true },
);

export const commandsSection = section(
  "Messages that are handled without the model.",
  "无需模型处理的消息。",
  {
    prefixes: texts("Prefixes of commands.", "命令的前缀。", { default: [",", "!", "/"] }),
    shellPassthrough: flag(
      "Whether a line of the owner that starts with a comma and is not a command goes to the shell, on channels too.",
      "所有者的未知 `,command` 在频道上是否也交给 shell。",
      { default: false },
    ),
    assistantOutput: flag(
      "Whether an answer of the assistant that is a `,command` is run, with the rights of a guest and only if it looks something up or sets an anchor. Off, it is only shown.",
      "助手的回答若是 `,命令`，是否以访客权限执行（仅限查询类命令和设置锚点）。关闭时只显示。",
      { default: false },
    ),
  },
);
