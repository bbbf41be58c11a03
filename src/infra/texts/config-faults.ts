import type { TextTable } from "./table.ts";

/**
 * What can be wrong with the config, the secrets and their files. A parameter that is itself such a text comes in
 * both languages: `{expected}` in English, `{expectedZh}` in Chinese.
 */
export const configFaultTexts = {
  "config.problem.unreadable": { en: "the file cannot be read ({reason})", zh: "无法读取该文件（{reason}）" },
  "config.problem.not-a-file": {
    en: "this is not a regular file, so it is not read",
    zh: "这不是普通文件，因此不读取",
  },
  "config.problem.leads-nowhere": {
    en: "this is a broken link",
    zh: "这是一个没有目标的链接",
  },
  "config.problem.not-kept": {
    en: "the last good config could not be saved ({reason})",
    zh: "无法保存上一份可用的配置（{reason}）",
  },
  "config.problem.gone": {
    en: "the file is missing or empty; the current config stays in force",
    zh: "文件不见了或为空；继续使用当前的配置",
  },
  "config.problem.not-loaded": {
    en: "the file could not be loaded ({reason}); the current config stays in force",
    zh: "无法加载该文件（{reason}）；继续使用当前的配置",
  },
  "config.problem.repeated": {
    en: "this key is repeated; the last one counts",
    zh: "这个键重复出现，以最后一个为准",
  },
  "config.problem.dropped": {
    en: "this name is not allowed and was ignored",
    zh: "不允许使用这个名称，已忽略",
  },
  "config.problem.newer-version": {
    en: "this file was written for a newer Pincer; only the known keys are used",
    zh: "这个文件是为更新版本的 Pincer 写的；只使用认识的部分",
  },
  "config.problem.moved": {
    en: "this is the old name of {to}; `pincer config migrate` writes the new one",
    zh: "这是 {to} 的旧写法；`pincer config migrate` 会改成新写法",
  },
  "config.problem.overruled": {
    en: "this is the old name of {to}, which is also set and wins",
    zh: "这是 {to} 的旧写法；后者也已设置，以后者为准",
  },
  "config.problem.missing-variable": {
    en: "the variable {variable} is not set, so the default is used",
    zh: "变量 {variable} 没有设置，因此使用默认值",
  },
  "config.problem.unfit-variable": {
    en: "the value of the variable {variable} is not valid for this key, so the default is used",
    zh: "变量 {variable} 的值不适合这个键，因此使用默认值",
  },
  "config.problem.ignored-variable": {
    en: "the variable {variable} is ignored: expected {expected}",
    zh: "忽略变量 {variable}：应为{expectedZh}",
  },
  "config.problem.agent-id": {
    en: "agent ids are lower case, so this one becomes {id}; `pincer config migrate` writes it that way",
    zh: "智能体的 id 用小写，因此这里按 {id} 处理；`pincer config migrate` 会改成这样",
  },
  "config.problem.bad-value": { en: "expected {expected}", zh: "应为{expectedZh}" },
  "config.problem.bad-section": {
    en: "expected {expected}; until this is corrected, {section} is not used and its default holds",
    zh: "应为{expectedZh}；更正之前不使用 {section}，以其默认值为准",
  },
  "config.problem.bad-channel": {
    en: "expected {expected}; until this is corrected, {section} is switched off",
    zh: "应为{expectedZh}；更正之前 {section} 保持关闭",
  },
  "config.problem.part-left-out": {
    en: "a part of the config is not used: {problem}",
    zh: "有一部分配置未被使用：{problem}",
  },
  "config.problem.taken-over": {
    en: "this is the spelling of OpenClaw and counts as {value}; `pincer config migrate` writes it that way",
    zh: "这是 OpenClaw 的写法，按 {value} 处理；`pincer config migrate` 会改成这样",
  },
  "config.problem.other-plugins": {
    en: "this is a setting of OpenClaw and is ignored: none of these plugins is loaded; Pincer's own plugins belong in plugins.load as a list",
    zh: "这是 OpenClaw 的设置，已忽略：其中的插件都不会加载；Pincer 自己的插件请以列表写在 plugins.load 中",
  },
  "config.problem.other-http": {
    en: "this is a setting of OpenClaw and is ignored: the page and the whole API are served to those who sign in; gateway.http: false serves neither",
    zh: "这是 OpenClaw 的设置，已忽略：页面和全部 API 提供给已登录者；gateway.http: false 则都不提供",
  },
  "config.problem.other-http.off": {
    en: "Pincer cannot switch off a single endpoint, so neither the page nor the API is served; gateway.http: true serves both",
    zh: "Pincer 不能单独关闭某个端点，因此页面和 API 都不提供；gateway.http: true 则都提供",
  },
  "config.problem.other-sessions": {
    en: "this is a setting of OpenClaw and is ignored: the owner's private chats see all sessions, everybody else only their own",
    zh: "这是 OpenClaw 的设置，已忽略：所有者的私聊可见全部会话，其他人只可见自己的",
  },
  "config.problem.other-sessions.denied": {
    en: "Pincer has no such setting, so {tools} are denied, as if tools.modes said so",
    zh: "Pincer 没有这个设置，因此禁止 {tools}，如同 tools.modes 所写",
  },
  "config.problem.other-hook": {
    en: "this is a setting of OpenClaw and is ignored: it opens no address; in Pincer every hook has a name and its own hooks.<name>.secret",
    zh: "这是 OpenClaw 的设置，已忽略：不会开放任何地址；Pincer 的每个钩子都有名称和各自的 hooks.<name>.secret",
  },
  "config.problem.group-map": {
    en: "this map counts as a list of {count} groups, with groupPolicy {policy} and requireMention {mention}; groups with other rules of their own are not answered, and every group is answered only with groupPolicy open",
    zh: "此映射按 {count} 个群组的列表处理，groupPolicy 为 {policy}，requireMention 为 {mention}；另有自身规则的群组不予回答，只有 groupPolicy 为 open 时才回答所有群组",
  },
  "config.problem.unknown-key": { en: "unknown key", zh: "没有这个键" },
  "config.problem.unknown-key.nearest": {
    en: "unknown key; did you mean {nearest}?",
    zh: "没有这个键；是否想写 {nearest}？",
  },
  "config.problem.unknown-flag": {
    en: "a flag names an unknown key",
    zh: "有一个命令行选项没有对应的配置键",
  },
  "config.problem.unfit-flag": {
    en: "the value of this flag is not valid for the key and is ignored",
    zh: "这个命令行选项不适合该键，已忽略",
  },
  "config.problem.unknown-profile": {
    en: "the active profile does not exist, neither in the file nor in the environment",
    zh: "当前的配置档没有任何内容：文件的 profiles 和环境变量中都没有它",
  },
  "config.problem.missing-secret": {
    en: "there is no secret {name}; `pincer secrets set {name}` stores it",
    zh: "没有名为 {name} 的密钥；用 `pincer secrets set {name}` 保存",
  },

  "config.parse.too-large": {
    en: "the file is larger than a million characters",
    zh: "文件超过一百万个字符",
  },
  "config.parse.too-deep": {
    en: "groups are nested deeper than {levels} levels",
    zh: "嵌套超过 {levels} 层",
  },
  "config.parse.too-early": {
    en: "the text ends too early (an open bracket or quote)",
    zh: "文本过早结束（有括号或引号没有关闭）",
  },
  "config.parse.token": { en: "unexpected {token}", zh: "此处不应出现{tokenZh}" },
  "config.parse.character": { en: "unexpected character", zh: "此处不应出现这个字符" },
  "config.token.sign": { en: '"{sign}"', zh: "“{sign}”" },
  "config.token.comma": { en: "a comma", zh: "逗号" },
  "config.token.colon": { en: "a colon", zh: "冒号" },
  "config.token.text": { en: "a text", zh: "文本" },
  "config.token.number": { en: "a number", zh: "数字" },
  "config.token.switch": { en: "true or false", zh: " true 或 false" },
  "config.token.null": { en: "null", zh: " null" },
  "config.token.word": { en: "a word without quotes", zh: "没有引号的词" },
  "config.token.other": { en: "this", zh: "这个" },

  "config.expected.one-of": { en: "one of {values}", zh: "以下之一：{values}" },
  "config.expected.or": { en: "{first} or {second}", zh: "{firstZh}或{secondZh}" },
  "config.expected.integer": { en: "a whole number", zh: "整数" },
  "config.expected.integer-from": {
    en: "a whole number of at least {minimum}",
    zh: "不小于 {minimum} 的整数",
  },
  "config.expected.integer-between": {
    en: "a whole number from {minimum} to {maximum}",
    zh: " {minimum} 到 {maximum} 的整数",
  },
  "config.expected.number": { en: "a number", zh: "数字" },
  "config.expected.number-from": { en: "a number of at least {minimum}", zh: "不小于 {minimum} 的数字" },
  "config.expected.number-between": {
    en: "a number from {minimum} to {maximum}",
    zh: " {minimum} 到 {maximum} 的数字",
  },
  "config.expected.boolean": { en: "true or false", zh: " true 或 false" },
  "config.expected.string": { en: "a text", zh: "文本" },
  "config.expected.pattern": { en: "a text of the form {pattern}", zh: "形如 {pattern} 的文本" },
  "config.expected.time-zone": {
    en: "the name of a time zone, such as {names}",
    zh: "时区名称，例如 {names}",
  },
  "config.expected.address": {
    en: "an address that starts with http:// or https://",
    zh: "以 http:// 或 https:// 开头的地址",
  },
  "config.expected.array": { en: "a list [ … ]", zh: "列表 [ … ]" },
  "config.expected.array-of": { en: "a list [ {item}, … ]", zh: "列表 [ {itemZh}, … ]" },
  "config.expected.object": { en: "a group of keys { … }", zh: "一组键 { … }" },
  "config.expected.commas": { en: "a comma-separated list", zh: "用逗号分隔的列表" },
  "config.expected.language": { en: "en or zh", zh: " en 或 zh" },

  "config.keeps-changing": { en: "The config file keeps changing", zh: "配置文件一直在变" },
  "config.keeps-changing.hint": {
    en: "Close the editor that has it open, and try again.",
    zh: "请关闭打开它的编辑器，然后重试。",
  },
  "config.no-change": { en: "There is no change to revert", zh: "没有可以撤销的改动" },
  "config.no-change.number": { en: "There is no change number {number}", zh: "没有编号为 {number} 的改动" },
  "config.no-change.hint": {
    en: "`pincer config history` lists the changes.",
    zh: "`pincer config history` 列出所有改动。",
  },
  "config.nothing-to-revert": {
    en: "Nothing can be reverted: the history does not contain the secrets of {keys}",
    zh: "无法撤销：历史中没有 {keys} 的密钥",
  },
  "config.nothing-to-revert.hint": {
    en: "`pincer config history --diff` shows the change without the secrets; edit the file by hand.",
    zh: "`pincer config history --diff` 显示原来的内容（不含密钥）；请手工修改文件。",
  },
  "config.bad-path": { en: '"{text}" is not a config path', zh: "“{text}”不是配置中的路径" },
  "config.bad-path.hint": {
    en: 'Write it like gateway.port, agents.list[0].id or channels.telegram.dms["a.b"].',
    zh: '请写成 gateway.port、agents.list[0].id 或 channels.telegram.dms["a.b"] 的形式。',
  },
  "config.bad-value": { en: "{key}: expected {expected}", zh: "{key}：应为{expectedZh}" },
  "config.bad-value.hint": { en: "{description} ({shape})", zh: "{description}（{shapeZh}）" },
  "config.bad-value.list-hint": {
    en: "{description} Write a list: pincer config set {path} '{example}'",
    zh: "{description} 列表请写成：pincer config set {path} '{example}'",
  },
  "config.unknown-key": { en: "Unknown key {key}", zh: "没有 {key} 这个键" },
  "config.unknown-key.hint": { en: "--force writes it anyway.", zh: "加 --force 会照原样写入。" },
  "config.unknown-key.nearest": {
    en: "Did you mean {nearest}? --force writes it anyway.",
    zh: "是否想写 {nearest}？加 --force 会照原样写入。",
  },
  "config.would-not-fit": {
    en: "The config would become invalid: {fault}",
    zh: "这样配置就不合规了：{faultZh}",
  },
  "config.would-not-fit.hint": {
    en: "`pincer config schema` describes every key.",
    zh: "`pincer config schema` 说明所有的键。",
  },
  "config.holds-secret": {
    en: "{key} would contain the secret {name} in clear text",
    zh: "{key} 会以明文包含密钥 {name}",
  },
  "config.holds-secret.hint": {
    en: "Refer to it as secret:{name} where a key accepts secrets, and leave it out elsewhere.",
    zh: "在接受密钥的键中写作 secret:{name}，其他地方请去掉它。",
  },
  "config.unparsable": {
    en: "The config cannot be read: line {line}, column {column}: {reason}",
    zh: "无法解析配置：第 {line} 行第 {column} 列：{reasonZh}",
  },
  "config.unparsable.hint": {
    en: "Fix line {line}, or run `pincer config revert` to go back to the last recorded config.",
    zh: "请修改第 {line} 行，或用 `pincer config revert` 回到上一份记录的配置。",
  },
  "config.no-keys": { en: "{key} is a single value and has no keys", zh: "{key} 是单个值，没有下级的键" },
  "config.no-keys.hint": {
    en: "Set {key} itself, or unset it first.",
    zh: "请设置 {key} 本身，或先去掉它。",
  },
  "config.no-item": {
    en: "{key} has {count} items, so there is no item {item}",
    zh: "{key} 有 {count} 项，因此没有第 {item} 项",
  },
  "config.no-item.hint": { en: "The next free index is [{count}].", zh: "下一个空位是 [{count}]。" },
  "config.no-list": { en: "There is no list at {key} yet", zh: "{key} 处还没有列表" },
  "config.no-list.hint": { en: "Start with [0].", zh: "请从 [0] 开始。" },
  "config.not-set": { en: "{key} is not set", zh: "{key} 没有设置" },
  "config.not-set.nearest": { en: "Did you mean {nearest}?", zh: "是否想写 {nearest}？" },
  "config.not-set-in-file": { en: "{key} is not set in the file", zh: "文件中没有设置 {key}" },
  "config.file-unreadable": { en: "{file} cannot be read ({reason})", zh: "无法读取 {file}（{reason}）" },

  "home.busy": {
    en: "Another process has been changing the home for too long",
    zh: "另一个进程改动主目录的时间过长",
  },
  "home.busy.hint": {
    en: "Look for a Pincer process that hangs, end it, and try again.",
    zh: "请找到卡住的 pincer 进程并结束它，然后重试。",
  },
  "home.disk-full": { en: "No space left for {path}", zh: "没有空间写入 {path}" },
  "home.disk-full.hint": {
    en: "Free some space on that disk and try again.",
    zh: "请在该磁盘上腾出空间后重试。",
  },
  "home.disk-refuses": {
    en: "{path} cannot be used ({reason})",
    zh: "无法使用 {path}（{reason}）",
  },
  "home.disk-refuses.hint": {
    en: "Check that it is a file or directory as its name says, and that you may read and write it.",
    zh: "请检查它的类型是否正确，以及你是否可以读写。",
  },
  "home.link-leads-nowhere": {
    en: "{path} is a broken link",
    zh: "{path} 是一个没有目标的链接",
  },
  "home.link-leads-nowhere.hint": {
    en: "Create its target, or remove the link.",
    zh: "请创建它的目标，或删除这个链接。",
  },

  "secrets.locked.no-key": { en: "The key of the secrets is missing", zh: "缺少打开密钥的钥匙" },
  "secrets.locked.unreadable": { en: "The secrets file cannot be read", zh: "无法读取密钥文件" },
  "secrets.locked.damaged": { en: "The secrets file is damaged", zh: "密钥文件已损坏" },
  "secrets.locked.wrong-key": {
    en: "The secrets cannot be decrypted: the key is wrong, or the file was changed",
    zh: "无法打开密钥：钥匙不对，或文件被改动过",
  },
  "secrets.locked.key-unreadable": {
    en: "The key file cannot be read",
    zh: "无法读取钥匙文件",
  },
  "secrets.locked.key-damaged": { en: "The key file is damaged", zh: "钥匙文件已损坏" },
  "secrets.locked.key-gone": {
    en: "The key file disappeared while it was being created",
    zh: "钥匙文件在创建时消失了",
  },
  "secrets.locked.hint": {
    en: "Use the PINCER_SECRET_KEY or secret.key with which the secrets were stored, or restore secrets.json from a backup.",
    zh: "请使用保存时的 PINCER_SECRET_KEY 或 secret.key，或从备份恢复 secrets.json。",
  },
  "secrets.not-found": { en: "There is no secret named {name}", zh: "没有名为 {name} 的密钥" },
  "secrets.not-found.hint": {
    en: "Store it: pincer secrets set {name}",
    zh: "保存它：pincer secrets set {name}",
  },
  "secrets.not-found.list": {
    en: "`pincer secrets list` shows the names.",
    zh: "`pincer secrets list` 显示所有名称。",
  },
  "secrets.bad-name": { en: "This is not a valid name for a secret", zh: "这不能作为密钥的名称" },
  "secrets.bad-name.hint": {
    en: "Use at most 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.",
    zh: "请用字母、数字、点、连字符和下划线，最多 64 个，以字母或数字开头。",
  },
  "secrets.empty": { en: "The value is empty", zh: "值为空" },
  "secrets.empty.hint": {
    en: "Try: pincer secrets set {name} < file",
    zh: "试试：pincer secrets set {name} < 文件",
  },

  "gateway.config.bad-channel": {
    en: "--channel is not the name of a channel",
    zh: "--channel 不是频道的名称",
  },
  "gateway.config.provider-for-all": {
    en: "--provider applies to all channels and cannot be set for one",
    zh: "--provider 用于所有频道，不能只为一个频道设置",
  },
  "gateway.config.provider-for-all.hint": { en: "Leave out --channel.", zh: "请去掉 --channel。" },
  "gateway.config.nothing": { en: "There is nothing to set", zh: "没有要设置的内容" },
  "gateway.config.nothing.hint": {
    en: "Give at least one setting, such as --with-tools.",
    zh: "请至少给出一项设置，例如 --with-tools。",
  },
} satisfies TextTable;
