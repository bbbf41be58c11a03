/** Sessions, queue and channels: how people reach an agent. */
import { Type } from "typebox";
import { choice, count, described, flag, named, people, secretText, section, text, texts } from "./keys.ts";

export const sessionSection = section("How messages are gathered into sessions.", "消息如何归入会话。", {
  dmScope: choice(
    "What the owner's direct messages share; everybody else is always on their own.",
    "所有者的私聊共享什么；其他人始终各自独立。",
    ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"],
    { default: "main" },
  ),
  reset: section("When a chat session begins anew.", "聊天会话何时重新开始。", {
    mode: choice(
      "Daily and when idle, only when idle, or never by itself.",
      "每天并在闲置时、仅在闲置时，或从不自动重置。",
      ["daily", "idle", "manual"],
      { default: "daily" },
    ),
    atHour: count("Hour of the daily reset.", "每日重置的时刻（小时）。", { maximum: 23, default: 4 }),
    idleMinutes: count("Minutes of silence after which it begins anew.", "沉默多少分钟后重新开始。", {
      minimum: 1,
      default: 240,
    }),
    carry: choice(
      "Which new sessions open with what the last one came to: those that begin by themselves, every one, or none.",
      "哪些新会话以上一会话的结论开头：自动开始的、全部，或都不。",
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
      "steer: into the running turn; followup: one turn each afterwards; collect: one turn for all; interrupt: stop and begin.",
      "steer：加入进行中的回合；followup：之后各成一回合；collect：全部合成一回合；interrupt：停止并重新开始。",
      ["steer", "followup", "collect", "interrupt"],
      { default: "steer" },
    ),
    debounceMs: Type.Optional(
      count("How long a burst of messages is gathered, in milliseconds.", "连续消息合并等待多久，毫秒。"),
    ),
    cap: count(
      "How many messages may wait in one session; past that the sender is told.",
      "单个会话最多等待的消息数；超出时告知发送者。",
      { minimum: 1, default: 20 },
    ),
    concurrency: count(
      "How many turns run at the same time, over all sessions.",
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
      secretText("Secret that signs what the network sends.", "为网络所发内容签名的机密。"),
    ),
    webhookSecret: Type.Optional(
      secretText("Secret that the network shows when it calls.", "网络调用时出示的机密。"),
    ),
    encryptKey: Type.Optional(secretText("Key that the network encrypts with.", "网络用于加密的密钥。")),
    password: Type.Optional(secretText("Password of the account.", "账号的密码。")),
    apiRoot: Type.Optional(
      text(
        "Address of the network's API, where it is not the public one.",
        "网络 API 的地址（若非公共地址）。",
      ),
    ),
    dmPolicy: choice(
      "Who may write directly.",
      "谁可以直接写消息。",
      ["pairing", "allowlist", "open", "disabled"],
      { default: "pairing" },
    ),
    allowFrom: people(
      "Who is allowed without pairing; empty under allowlist means nobody.",
      "哪些人无需配对；在 allowlist 下为空表示没有人。",
      { default: [] },
    ),
    groupPolicy: Type.Optional(
      choice("Which groups are answered.", "回答哪些群组。", ["allowlist", "open", "disabled"]),
    ),
    groups: Type.Optional(
      people(
        "Ids of the groups that are answered; empty under allowlist means none.",
        "回答的群组 id；在 allowlist 下为空表示没有。",
      ),
    ),
    requireMention: Type.Optional(
      flag(
        "Whether a group is answered only when it speaks to the assistant.",
        "群组是否仅在对助手说话时才回答。",
      ),
    ),
    uncertain: Type.Optional(
      choice(
        "What is done about a message that may or may not have arrived, where the network cannot tell: repeat it once, marked as such, or not.",
        "网络无法说明消息是否送达时怎么办：带标记重发一次，或不重发。",
        ["repeat", "none"],
      ),
    ),
    streaming: Type.Optional(
      choice(
        "How a growing answer is shown: not before it is whole, as a message that is edited, or in finished pieces (see agents.defaults.blockStreamingBreak).",
        "增长中的回答如何显示：完整后才显示、以可编辑的消息显示，或分段显示（见 agents.defaults.blockStreamingBreak）。",
        ["off", "edit", "blocks"],
      ),
    ),
    workingReaction: Type.Optional(
      text(
        "Sign that a message gets while it is worked on, such as 👀, where the network has such signs.",
        "处理消息时加上的标记，例如 👀（若网络支持）。",
      ),
    ),
    dmHistoryLimit: Type.Optional(
      count("Turns of a direct chat that a request shows at most.", "一次请求最多显示的私聊回合数。"),
    ),
    dms: Type.Optional(
      named(
        "What differs for one person, by id.",
        "对个别人的不同设置，按 id。",
        section("One person.", "一个人。", {
          historyLimit: Type.Optional(
            count("Turns that a request shows at most.", "一次请求最多显示的回合数。"),
          ),
        }),
      ),
    ),
    accounts: Type.Optional(
      named(
        "Several accounts on this network, by name.",
        "此网络上的多个账号，按名称。",
        named("Keys of one account.", "一个账号的各项设置。", Type.Unknown()),
      ),
    ),
  },
  { ...described("One network to talk on.", "一个用于交谈的网络。"), additionalProperties: true },
);

export const commandsSection = section(
  "Messages that are handled without the model.",
  "无需模型处理的消息。",
  {
    prefixes: texts("Marks that a command begins with.", "命令开头的标记。", { default: [",", "!", "/"] }),
    shellPassthrough: flag(
      "Whether the owner's unknown `,command` goes to the shell on channels too.",
      "所有者的未知 `,command` 在频道上是否也交给 shell。",
      { default: false },
    ),
  },
);
