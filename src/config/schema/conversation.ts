/** Sessions, queue and channels: how people reach an agent. */
import { Type } from "typebox";
import { defaultChannel, defaultConfig } from "../default-config.ts";
import { choice, count, flag, named, people, secretText, section, text, texts } from "./keys.ts";

const { session, queue } = defaultConfig;

export const sessionSection = section("How messages are gathered into sessions.", {
  dmScope: choice(
    "What the owner's direct messages share; everybody else is always on their own.",
    ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"],
    { default: session.dmScope },
  ),
  reset: section("When a chat session begins anew.", {
    mode: choice("Daily and when idle, only when idle, or never by itself.", ["daily", "idle", "manual"], {
      default: session.reset.mode,
    }),
    atHour: count("Hour of the daily reset.", { maximum: 23, default: session.reset.atHour }),
    idleMinutes: count("Minutes of silence after which it begins anew.", {
      minimum: 1,
      default: session.reset.idleMinutes,
    }),
    carry: choice(
      "Which new sessions open with what the last one came to: those that begin by themselves, every one, or none.",
      ["automatic", "always", "never"],
      { default: session.reset.carry },
    ),
  }),
  identityLinks: named(
    'One person on several channels: a name and their "channel:id"s.',
    texts('Who this person is on each channel, as "channel:id".'),
    { default: session.identityLinks },
  ),
});

export const queueSection = section("What happens to messages that arrive during a turn.", {
  mode: choice(
    "steer: into the running turn; followup: one turn each afterwards; collect: one turn for all; interrupt: stop and begin.",
    ["steer", "followup", "collect", "interrupt"],
    { default: queue.mode },
  ),
  debounceMs: Type.Optional(count("How long a burst of messages is gathered, in milliseconds.")),
  cap: count("How many messages may wait in one session; past that the sender is told.", {
    minimum: 1,
    default: queue.cap,
  }),
  concurrency: count("How many turns run at the same time, over all sessions.", {
    minimum: 1,
    default: queue.concurrency,
  }),
});

/** Open: a connector brings keys of its own and checks them itself. */
export const channelSection = Type.Object(
  {
    enabled: flag("Whether the channel is started.", { default: defaultChannel.enabled }),
    botToken: Type.Optional(secretText("Token of the bot.")),
    appToken: Type.Optional(secretText("Token of the app, for channels that have two.")),
    token: Type.Optional(secretText("Token of the account.")),
    accessToken: Type.Optional(secretText("Access token of the account.")),
    appSecret: Type.Optional(secretText("Secret of the app.")),
    signingSecret: Type.Optional(secretText("Secret that signs what the network sends.")),
    webhookSecret: Type.Optional(secretText("Secret that the network shows when it calls.")),
    encryptKey: Type.Optional(secretText("Key that the network encrypts with.")),
    password: Type.Optional(secretText("Password of the account.")),
    apiRoot: Type.Optional(text("Address of the network's API, where it is not the public one.")),
    dmPolicy: choice("Who may write directly.", ["pairing", "allowlist", "open", "disabled"], {
      default: defaultChannel.dmPolicy,
    }),
    allowFrom: people("Who is allowed without pairing; empty under allowlist means nobody.", {
      default: defaultChannel.allowFrom,
    }),
    groupPolicy: Type.Optional(choice("Which groups are answered.", ["allowlist", "open", "disabled"])),
    groups: Type.Optional(people("Ids of the groups that are answered; empty under allowlist means none.")),
    requireMention: Type.Optional(flag("Whether a group is answered only when it speaks to the assistant.")),
    uncertain: Type.Optional(
      choice(
        "What is done about a message that may or may not have arrived, where the network cannot tell: repeat it once, marked as such, or not.",
        ["repeat", "none"],
      ),
    ),
    streaming: Type.Optional(
      choice(
        "How a growing answer is shown: not before it is whole, as a message that is edited, or in finished pieces (see agents.defaults.blockStreamingBreak).",
        ["off", "edit", "blocks"],
      ),
    ),
    workingReaction: Type.Optional(
      text("Sign that a message gets while it is worked on, such as 👀, where the network has such signs."),
    ),
    dmHistoryLimit: Type.Optional(count("Turns of a direct chat that a request shows at most.")),
    dms: Type.Optional(
      named(
        "What differs for one person, by id.",
        section("One person.", {
          historyLimit: Type.Optional(count("Turns that a request shows at most.")),
        }),
      ),
    ),
    accounts: Type.Optional(
      named("Several accounts on this network, by name.", named("Keys of one account.", Type.Unknown())),
    ),
  },
  { description: "One network to talk on.", additionalProperties: true },
);

export const commandsSection = section("Messages that are handled without the model.", {
  prefixes: texts("Marks that a command begins with.", { default: defaultConfig.commands.prefixes }),
  shellPassthrough: flag("Whether the owner's unknown `,command` goes to the shell on channels too.", {
    default: defaultConfig.commands.shellPassthrough,
  }),
});
