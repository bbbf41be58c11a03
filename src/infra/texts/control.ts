import type { TextTable } from "./table.ts";

/** Controlling the gateway: its channels, agents, health, log and messages by hand. */
export const controlTexts = {
  "control.owners-key": {
    en: "Only the owner may change {key}.",
    zh: "只有所有者可以更改 {key}。",
  },
  "control.owners-key.hint": {
    en: "What the assistant may do, who counts as whom, what runs here and where secrets go depend on such keys. Ask the owner, or run `pincer config set` on the gateway's own machine.",
    zh: "助手可以做什么、谁算作谁、这里运行什么以及密钥发往何处都取决于这类配置项。请询问所有者，或在网关所在的机器上运行 `pincer config set`。",
  },
  "control.in-force": { en: "The running gateway uses it.", zh: "运行中的网关已采用。" },
  "control.not-in-force": {
    en: "The running gateway rejects it and keeps its current config: {problems}",
    zh: "运行中的网关拒绝采用，继续使用原配置：{problems}",
  },
  "control.dry-run": {
    en: "Nothing was written. The change is valid.",
    zh: "未写入任何内容。该值有效，并会更改配置。",
  },
  "control.dry-run.same": {
    en: "Nothing was written. The config already has this value.",
    zh: "未写入任何内容。配置已是如此。",
  },
  "config.dry-run": { en: "check everything and write nothing", zh: "只检查，不写入" },
  "config.diff": { en: "show what one change did", zh: "显示一次更改的内容" },
  "config.diff.number": {
    en: "number of the change (default: the last)",
    zh: "更改的编号；省略则为最近一次",
  },

  "agents.about": { en: "list, add, remove and configure agents", zh: "列出、添加、移除和配置智能体" },
  "agents.list": { en: "list the agents", zh: "列出智能体" },
  "agents.add": { en: "add an agent and create its directory", zh: "添加智能体并创建其目录" },
  "agents.remove": {
    en: "remove an agent from the config; its data stays",
    zh: "从配置中移除智能体；其数据保留",
  },
  "agents.config": {
    en: "show an agent's settings, or set one of them",
    zh: "显示某个智能体的配置，或设置其中一项",
  },
  "agents.id": { en: "id of the agent", zh: "智能体的 ID" },
  "agents.name": { en: "its name", zh: "名称" },
  "agents.model": {
    en: "model that answers for it, as provider/model",
    zh: "为其回答的模型，形如 provider/model",
  },
  "agents.workspace": { en: "its working directory", zh: "其工作目录" },
  "agents.path": { en: "a key, such as model.primary", zh: "键，例如 model.primary" },
  "agents.value": { en: "value to set, as JSON5 or text", zh: "要设置的值，JSON5 或文本" },
  "agents.unset": { en: "remove the key, so that the default applies", zh: "移除该键，恢复默认值" },
  "agents.unset.path": { en: "--unset needs a key and no value", zh: "--unset 需要一个键，且不带值" },
  "agents.added": {
    en: "Added agent {id}; its workdir is {workspace}.",
    zh: "已添加智能体 {id}；工作目录为 {workspace}。",
  },
  "agents.removed": { en: "Removed agent {id} from the config.", zh: "已从配置中移除智能体 {id}。" },
  "agents.kept": { en: "Its data is still in {place}.", zh: "其数据仍在 {place}。" },
  "agents.bad-id": { en: "{id} is not a valid agent id.", zh: "{id} 不能作为智能体的 ID。" },
  "agents.bad-id.hint": {
    en: "Use lower-case letters, digits, - and _, starting with a letter or a digit.",
    zh: "请使用小写字母、数字、- 和 _，并以字母或数字开头。",
  },
  "agents.none": { en: "There is no agent {id} in the config.", zh: "配置中没有智能体 {id}。" },
  "agents.none.hint": {
    en: "`pincer agents list` lists all agents.",
    zh: "`pincer agents list` 会列出全部。",
  },
  "agents.there": { en: "There is already an agent {id}.", zh: "智能体 {id} 已存在。" },
  "agents.there.hint": {
    en: "`pincer agents config {id}` shows it.",
    zh: "`pincer agents config {id}` 可查看它。",
  },
  "agents.id-stays": {
    en: "The id of an agent cannot change: its sessions are stored under it.",
    zh: "智能体的 ID 不能更改：它的会话以此保存。",
  },

  "channels.about": { en: "show the channels and their state", zh: "显示频道及其状况" },
  "channels.list": { en: "list every account of the config", zh: "列出配置中的所有账户" },
  "channels.status": {
    en: "show the state of the accounts; exit status 1 if one is red",
    zh: "显示账户状况；有红色时退出状态为 1",
  },
  "channels.name": { en: "only this channel", zh: "仅此频道" },
  "channels.probe": { en: "check the connections now", zh: "立即检测各连接" },
  "channels.empty": {
    en: "No channel is configured. `pincer channels add <name>` adds one.",
    zh: "配置中没有频道。可用 `pincer channels add <名称>` 设置。",
  },
  "channels.none": { en: "There is no account {name} in the config.", zh: "配置中没有账户 {name}。" },
  "channels.none.hint": {
    en: "`pincer channels list` lists all accounts.",
    zh: "`pincer channels list` 会列出全部。",
  },
  "channels.no-gateway": { en: "no gateway is running", zh: "没有运行网关" },
  "channels.not-run": { en: "this gateway does not run it", zh: "此网关未运行它" },
  "channels.off": { en: "off", zh: "关闭" },
  "channels.state.connecting": { en: "connecting", zh: "正在连接" },
  "channels.state.connected": { en: "connected", zh: "已连接" },
  "channels.state.waiting": { en: "waiting", zh: "等待中" },
  "channels.state.stopped": { en: "stopped", zh: "已停止" },
  "channels.state.broken": { en: "broken", zh: "有故障" },
  "channels.health.green": { en: "green", zh: "正常" },
  "channels.health.yellow": { en: "yellow", zh: "不确定" },
  "channels.health.red": { en: "red", zh: "异常" },
  "channels.since": { en: "since {time}", zh: "自 {time}" },
  "channels.last-inbound": { en: "last received {time}", zh: "最近接收 {time}" },
  "channels.last-delivery": { en: "last delivered {time}", zh: "最近送达 {time}" },
  "channels.backlog": { en: "{count} waiting", zh: "{count} 条等待" },

  "health.about": {
    en: "show whether Pincer works; exit status 1 if a check fails",
    zh: "检查 Pincer 状况；有检查项失败时退出状态为 1",
  },
  "health.no-gateway": {
    en: "no gateway is running, so nothing is received or delivered; `pincer gateway run` starts one",
    zh: "没有运行网关，无法接收和送达；可用 `pincer gateway run` 启动",
  },
  "health.database.hint": { en: "See `pincer doctor`.", zh: "`pincer doctor` 可了解更多。" },
  "health.disk": { en: "only {free} free", zh: "仅剩 {free}" },
  "health.outbox": {
    en: "{count} messages could not be sent; see `pincer outbox list`",
    zh: "{count} 条消息未能发送；`pincer outbox list` 可查看",
  },
  "health.deadletters": {
    en: "{count} messages were given up; see `pincer deadletters list`",
    zh: "{count} 条消息被放弃；`pincer deadletters list` 可查看",
  },

  "logs.none": {
    en: "{file} is empty. The gateway writes it: `pincer gateway run`.",
    zh: "{file} 中没有内容。它由网关写入：`pincer gateway run`。",
  },

  "message.about": { en: "send messages by hand", zh: "手动发送消息" },
  "message.send": { en: "send a message to somebody on a channel", zh: "向频道上的某人发送消息" },
  "message.to": {
    en: "channel:id, channel/account:id, a contact, owner, or the key of a session",
    zh: "channel:id、channel/account:id、联系人、owner 或会话键",
  },
  "message.text": {
    en: "the message; without it, stdin is read",
    zh: "内容；省略则读取管道输入",
  },
  "message.account": {
    en: "account to send from, if the channel has several",
    zh: "发送所用账户（频道有多个账户时）",
  },
  "message.reply-to": {
    en: "the network's id of the message to reply to",
    zh: "所回复消息在该网络中的 ID",
  },
  "message.key": {
    en: "requests with the same key send the message only once",
    zh: "相同的键即同一条消息，无论请求多少次",
  },
  "message.wait": {
    en: "wait until it is delivered; exit status 1 if it is not",
    zh: "等待送达；未送达时退出状态为 1",
  },
  "message.timeout": { en: "wait at most this many seconds", zh: "最多等待的秒数" },
  "message.queued": {
    en: "Message {id} to {recipient} is queued.",
    zh: "消息 {id} 正在发往 {recipient}。",
  },
  "message.again": {
    en: "Message {id} was requested before; it is {state}.",
    zh: "消息 {id} 之前已请求；状态为 {state}。",
  },
  "message.sent": { en: "Message {id} was delivered to {recipient}.", zh: "消息 {id} 已送达 {recipient}。" },
  "message.failed": {
    en: "Message {id} was not delivered: {reason}. `pincer outbox retry {id}` tries again.",
    zh: "消息 {id} 未送达：{reason}。`pincer outbox retry {id}` 可重试。",
  },
  "message.still": {
    en: "Message {id} is not delivered yet ({state}). See `pincer outbox show {id}`.",
    zh: "消息 {id} 尚未送达（{state}）。`pincer outbox show {id}` 可了解更多。",
  },
  "message.wait.no-gateway": {
    en: "No gateway is running to deliver it. It waits in the outbox.",
    zh: "没有运行网关，无法送达。消息在发件箱中等待。",
  },

  "send.no-account": {
    en: "No active account can write to {to}.",
    zh: "没有正在使用的账户可以写给 {to}。",
  },
  "send.no-account.hint": {
    en: "`pincer channels list` lists the accounts. Check the spelling, and that the channel is enabled.",
    zh: "`pincer channels list` 会列出账户；频道名称是否一致并已启用？",
  },
  "send.no-owner": {
    en: "No chat of the owner is known.",
    zh: "尚不知道可以在哪里写给所有者。",
  },
  "send.no-owner.hint": {
    en: "`pincer owner claim` creates a code; send it to the assistant from your own chat. Or add yourself to `owners` in the config.",
    zh: "`pincer owner claim` 会生成一个代码，请从你的聊天发送给助手；或在配置的 `owners` 下列出你自己。",
  },
  "send.nobody": {
    en: "{to} is not a known recipient.",
    zh: "{to} 不是可以写给的对象。",
  },
  "send.nobody.hint": {
    en: "Use channel:id, channel/account:id, a session key, owner, or a name from `contacts` in the config.",
    zh: "请使用 channel:id、channel/account:id、会话键、owner 或配置中 `contacts` 下的名称。",
  },
  "send.ambiguous": { en: "{to} could be {choices}.", zh: "{to} 可能是 {choices}。" },
  "send.ambiguous.hint": {
    en: "Name the account with --account, or the session by its key.",
    zh: "请用 --account 指定账户，或用会话键指定会话。",
  },
  "send.other-account": {
    en: "{to} is not on the account {accountId}.",
    zh: "{to} 不在账户 {accountId} 上。",
  },
  "send.empty": { en: "The message is empty.", zh: "没有可发送的内容。" },

  "chat.nothing-to-say": {
    en: "The message has no text and no file.",
    zh: "消息中没有文字，也没有附件。",
  },
  "chat.nothing-said": {
    en: "Nothing has been said in {sessionKey} yet.",
    zh: "{sessionKey} 中还没有任何对话。",
  },
  "chat.not-yours": {
    en: "Entry {seq} is not a message of yours.",
    zh: "第 {seq} 条不是你说的话。",
  },
  "chat.not-yours.hint": {
    en: "You can only repeat your own messages.",
    zh: "只有你自己说过的话才能重新发送。",
  },
  "chat.no-media": { en: "There is no file {id} in the media store.", zh: "媒体库中没有文件 {id}。" },
  "chat.no-media.hint": {
    en: "Upload it again: files are deleted after some time.",
    zh: "请重新上传：文件不会永久保留。",
  },

  "agent.about": {
    en: "run one turn of an agent, and optionally deliver its answer",
    zh: "运行智能体一轮，并可选择送达其回答",
  },
  "agent.message": {
    en: "the message; - or nothing reads it from stdin",
    zh: "内容；- 或省略则读取管道输入",
  },
  "agent.thinking": { en: "how much it thinks first: {levels}", zh: "先思考多少：{levels}" },
  "agent.thinking.not": { en: "It must be one of {levels}.", zh: "必须是 {levels} 之一。" },
  "agent.deliver": {
    en: "send the answer to --to, or to the session's own chat",
    zh: "将回答发送给 --to，或会话所在之处",
  },
  "agent.to": { en: "recipient of the answer; implies --deliver", zh: "谁收到回答；隐含 --deliver" },
  "agent.channel": { en: "channel of --to, if --to is only an id", zh: "--to 仅为 ID 时所在的频道" },
  "agent.account": { en: "account to send from", zh: "发送所用账户" },
  "agent.channel-alone": {
    en: "--channel needs --to: an id on that channel.",
    zh: "--channel 需要 --to：该频道上的 ID。",
  },
  "agent.delivered": {
    en: "The answer is being sent to {recipient} as {id}.",
    zh: "回答正以 {id} 发往 {recipient}。",
  },
  "agent.undelivered": { en: "The answer could not be delivered: {reason}", zh: "回答无法送达：{reason}" },

  "status.channels": { en: "channels", zh: "频道" },
  "status.address": { en: "address", zh: "地址" },
  "status.callers": { en: "signed in", zh: "已登录" },
} satisfies TextTable;
