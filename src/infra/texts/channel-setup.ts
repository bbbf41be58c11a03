import type { TextTable } from "./table.ts";

/** Setting up accounts on channels. */
export const channelSetupTexts = {
  /** Connectors bring their own words, in both languages: which of them to take. */
  "channels.language": { en: "en", zh: "zh" },
  "channels.add": { en: "set up an account on a channel", zh: "在频道上设置账户" },
  "channels.remove": {
    en: "remove an account from the config; its data stays",
    zh: "从配置中移除账户；数据保留",
  },
  "channels.peers": { en: "list the people you can write to", zh: "列出可以联系的人" },
  "channels.groups": { en: "list the groups that the account is in", zh: "列出账户所在的群组" },
  "channels.which": { en: "name of the channel, such as telegram", zh: "频道名称，如 telegram" },
  "channels.account": { en: "name of the account (default: default)", zh: "账户名称；省略则为 default" },
  "channels.add.set": {
    en: "a setting of the account, as key=value; may be repeated",
    zh: "账户的一个键，写作 键=值；可重复",
  },
  "channels.add.stdin": {
    en: "read the value of this key, such as botToken, from standard input",
    zh: "从标准输入读取此键（如 botToken）的值",
  },
  "channels.add.replace": { en: "also if the account already exists", zh: "账户已存在时也写入" },
  "channels.add.no-test": { en: "write it without testing it first", zh: "不先测试就写入" },
  "channels.add.no-claim": { en: "do not create a code to become its owner", zh: "不生成成为所有者的代码" },
  "channels.add.ask": { en: "{about} ({key}):", zh: "{about}（{key}）：" },
  "channels.add.ask-secret": {
    en: "{about} ({key}; what you type is not shown):",
    zh: "{about}（{key}；输入内容不会显示）：",
  },
  "channels.add.missing": {
    en: "{channel} needs {keys}, but there is no terminal to ask.",
    zh: "{channel} 需要 {keys}，但没有人可以询问。",
  },
  "channels.add.missing.hint": {
    en: "Give them with --set key=value; a secret with --stdin <key>, or as --set key=secret:NAME after `pincer secrets set NAME`.",
    zh: "用 --set 键=值 给出；密钥用 --stdin <键>，或先 `pincer secrets set NAME` 再用 --set 键=secret:NAME。",
  },
  "channels.add.bad-set": {
    en: "{given} does not have the form key=value.",
    zh: "{given} 不是 键=值 的形式。",
  },
  "channels.add.secret-argument": {
    en: "{key} is a secret, and others can see a command line.",
    zh: "{key} 是密钥：命令行上的内容可能被他人看到。",
  },
  "channels.added": { en: "{name} is set up.", zh: "{name} 已设置。" },
  "channels.added.as": { en: "{name} is set up as {account}.", zh: "{name} 已设置为 {account}。" },
  "channels.start": {
    en: "No gateway is running: `pincer gateway run` connects the channel.",
    zh: "网关尚未运行：`pincer gateway run` 将连接它。",
  },
  "channels.claim.link": {
    en: "Open this link within ten minutes to become the owner there: {link}",
    zh: "请在十分钟内打开此链接，成为那里的所有者：{link}",
  },
  "channels.claim.code": {
    en: "Send {code} to it within ten minutes to become the owner there.",
    zh: "请在十分钟内把 {code} 发给它，成为那里的所有者。",
  },
  "channels.hello": {
    en: "Hello. You can reach me here from now on.",
    zh: "你好。从现在起可以在这里找到我。",
  },
  "channels.hello.sent": { en: "Sending a hello to {to}.", zh: "已向 {to} 发送问候。" },
  "channels.removed": { en: "Removed {name} from the config.", zh: "{name} 已不在配置中。" },
  "channels.removed.kept": {
    en: "Its conversations, and the people who have access, stay.",
    zh: "其会话以及已获准的人保持不变。",
  },
  "channels.removed.secrets": {
    en: "These secrets stay too: {names}. Remove one with `pincer secrets remove <name>`.",
    zh: "以下密钥也保留：{names}。可用 `pincer secrets remove <名称>` 删除。",
  },
  "channels.peers.names": {
    en: "only these, by their names on the network, such as @my_group",
    zh: "只列出这些，用该网络上的名称，如 @my_group",
  },
  "channels.peers.none": { en: "Nobody is known there yet.", zh: "那里尚无已知的人或群组。" },
  "channels.peers.known": {
    en: "The network cannot list them; these are known here.",
    zh: "无法询问该网络；以下是此处已知的。",
  },
  "channels.no-kind": {
    en: "There is no connector for {channel}. Available: {known}.",
    zh: "没有 {channel} 的连接器。可用的有：{known}。",
  },
  "channels.no-kind.hint": {
    en: "Plugins can add others; see `pincer plugins list`.",
    zh: "插件可以带来其他连接器；见 `pincer plugins list`。",
  },
  "channels.there": { en: "{name} is already set up.", zh: "{name} 已经设置。" },
  "channels.there.hint": {
    en: "--replace overwrites its settings; --account <name> sets up another account.",
    zh: "--replace 重新写入其键；--account <名称> 设置另一个账户。",
  },
  "channels.bad-key": {
    en: "{channel} has no setting {key}. It has: {known}.",
    zh: "{channel} 没有键 {key}。可用的有：{known}。",
  },
  "channels.bad-keys": {
    en: "Invalid settings for {channel}: {reason}",
    zh: "{channel} 的键不合适：{reason}",
  },
  "channels.bad-form": {
    en: "{key} has the wrong form: {about}",
    zh: "{key} 的格式不对：{about}",
  },
  "channels.bad-key.hint": {
    en: "docs/guides has a page about each channel.",
    zh: "docs/guides 中有各频道的说明。",
  },
  "channels.test-failed": { en: "{name} does not work: {problem}", zh: "{name} 无法使用：{problem}" },
  "channels.test-failed.hint": {
    en: "Nothing was written. --no-test writes it anyway.",
    zh: "未写入任何内容。--no-test 仍会写入。",
  },
  "channels.test-timeout": { en: "no answer within {seconds} s", zh: "{seconds} 秒内没有回应" },
} satisfies TextTable;
