import type { TextTable } from "./table.ts";

/** Texts of credentials: `pincer auth`, and what is said when none is of use. */
export const authTexts = {
  "auth.about": { en: "credentials for model providers", zh: "管理模型提供方的凭据" },
  "auth.name": { en: "name of the credential", zh: "凭据名称" },
  "auth.provider": { en: "provider, such as anthropic or openai", zh: "提供方，例如 anthropic 或 openai" },
  "auth.agent": { en: "only for this agent", zh: "只用于该智能体" },

  "auth.login": { en: "store a key, or log in to the provider", zh: "保存密钥，或在提供方登录" },
  "auth.login.oauth": { en: "log in with an account instead of a key", zh: "用账号登录，而不是密钥" },
  "auth.login.token": { en: "the input is a token, not a key", zh: "输入的是令牌，而不是密钥" },
  "auth.login.key-stdin": { en: "read the key from stdin", zh: "从标准输入读取密钥" },
  "auth.login.name": {
    en: "name for the credential (default: <provider>:default)",
    zh: "名称（默认：<提供方>:default）",
  },
  "auth.login.force": {
    en: "also for an unknown provider or agent",
    zh: "即使提供方或智能体未知",
  },
  "auth.unknown-provider.nearest": {
    en: "Did you mean {nearest}? `pincer auth login {provider} --force` stores a credential anyway.",
    zh: "是否想要 {nearest}？用 `pincer auth login {provider} --force` 仍可保存。",
  },
  "auth.unknown-provider.hint": {
    en: "`pincer models list --all` lists the known providers; add your own server to models.providers in the config. `pincer auth login {provider} --force` stores a credential anyway.",
    zh: "`pincer models list --all` 列出全部模型及其提供方；自己的服务器请写入配置的 models.providers。用 `pincer auth login {provider} --force` 仍可保存。",
  },
  "auth.login.prompt": { en: "Key for {provider} (not shown): ", zh: "{provider} 的密钥（不显示）：" },
  "auth.login.done": {
    en: "Stored as {name}. Pincer uses it for {provider}.",
    zh: "已保存为 {name}，将用于 {provider}。",
  },
  "auth.login.nobody": {
    en: "There is no terminal to ask for the key.",
    zh: "这里无法询问密钥。",
  },
  "auth.login.nobody.hint": {
    en: "Pipe it in: pincer auth login {provider} --key-stdin < file",
    zh: "通过管道输入：pincer auth login {provider} --key-stdin < 文件",
  },
  "auth.login.only": {
    en: "{provider} takes no keys: it has a login of its own.",
    zh: "{provider} 不接受密钥：它使用自己的登录。",
  },
  "auth.login.only.hint": {
    en: "Log in: pincer auth login {provider} (a key for the API of OpenAI itself goes to `pincer auth login openai`).",
    zh: "请登录：pincer auth login {provider}（OpenAI 自身 API 的密钥请用 `pincer auth login openai`）。",
  },
  "auth.login.url": { en: "Open this address in a browser: {url}", zh: "请在浏览器中打开：{url}" },
  "auth.login.device": {
    en: "Open {url} and enter the code {code}",
    zh: "请打开 {url} 并输入代码 {code}",
  },
  "auth.login.choose": { en: "Number of your choice [1]: ", zh: "请选择编号 [1]：" },
  "auth.login.too-long": {
    en: "Nobody finished the login within {minutes} minutes.",
    zh: "{minutes} 分钟内没有人完成登录。",
  },
  "auth.login.too-long.hint": {
    en: "Run it again and open the address that it shows, or run it in a terminal.",
    zh: "请重新运行并打开它显示的地址，或在终端中运行。",
  },
  "auth.login.failed": {
    en: "The login to {provider} failed: {reason}",
    zh: "在 {provider} 登录未成功：{reason}",
  },
  "auth.login.port-taken": {
    en: "The login to {provider} cannot begin: another program on this machine, perhaps another login, has the port that the browser comes back to.",
    zh: "无法开始在 {provider} 的登录：浏览器要返回的端口正被本机的另一个程序（也许是另一个登录）占用。",
  },
  "auth.login.port-taken.hint": {
    en: "Finish or cancel the other login, then try again.",
    zh: "请先完成或退出另一个登录，然后重试。",
  },
  "auth.login.too-many": {
    en: "Too many logins are in progress; finish or cancel one of them.",
    zh: "正在进行的登录太多；请先完成或退出其中一个。",
  },
  "auth.login.too-late": {
    en: "The login to {provider} took too long and was cancelled; start again.",
    zh: "在 {provider} 的登录耗时太久，已结束；请重新开始。",
  },
  "auth.login.left": {
    en: "The login to {provider} was cancelled.",
    zh: "已退出在 {provider} 的登录。",
  },
  "auth.login.nothing-asked": {
    en: "This login expects no answer any more; start again.",
    zh: "此登录已不再提问；请重新开始。",
  },
  "auth.login.failed.hint": {
    en: "Try again: pincer auth login {provider} --oauth",
    zh: "请重试：pincer auth login {provider} --oauth",
  },
  "auth.no-login": {
    en: "{provider} has no account login.",
    zh: "{provider} 不支持账号登录。",
  },
  "auth.no-login.hint": {
    en: "Account logins exist for: {providers}. For others, store a key: pincer auth login {provider}",
    zh: "支持账号登录的有：{providers}。其他请保存密钥：pincer auth login {provider}",
  },
  "auth.bad-name": {
    en: "A credential name has up to 128 letters, digits and . _ : @ + / -, and starts with a letter or digit.",
    zh: "凭据名称最多 128 个字符，可用字母、数字和 . _ : @ + / -，并以字母或数字开头。",
  },
  "auth.bad-name.hint": { en: "For example: --name openai-work", zh: "例如：--name openai-work" },
  "auth.reserved-name": {
    en: "The name {name} is reserved for credentials from the config and the environment.",
    zh: "名称 {name} 保留给配置和环境中的凭据。",
  },
  "auth.name-taken": {
    en: "{name} is already the name of a credential for {other}.",
    zh: "{name} 已是 {other} 的凭据名称。",
  },
  "auth.name-taken.hint": {
    en: "Choose another name ({free} is free), or remove that one first: {command}",
    zh: "请换个名称（{free} 可用），或先删除原有凭据：{command}",
  },
  "auth.no-secret": {
    en: "{name} is empty: a credential of type {type} needs a value.",
    zh: "{name} 没有可用内容：{type} 类型的凭据需要它。",
  },
  "auth.no-secret.hint": { en: "Enter the key itself.", zh: "请输入密钥本身。" },

  "auth.bad-key.space": {
    en: "The key for {name} contains white space.",
    zh: "为 {name} 输入的内容中含有空白字符。",
  },
  "auth.bad-key.control": {
    en: "The key for {name} contains control characters.",
    zh: "为 {name} 输入的内容中含有控制字符。",
  },
  "auth.bad-key.foreign": {
    en: "The key for {name} contains characters outside ASCII, which no key has.",
    zh: "为 {name} 输入的内容中含有密钥不会有的字符（非 ASCII）。",
  },
  "auth.bad-key.hint": {
    en: "Nothing was stored. Copy only the key and try again.",
    zh: "没有保存任何内容。请重新复制密钥，不要带上其他内容。",
  },

  "auth.status": { en: "show the credentials, their state and their order", zh: "显示凭据、状态和顺序" },
  "auth.status.provider": { en: "only this provider", zh: "只显示该提供方" },
  "auth.status.none": {
    en: "No credentials yet. `pincer auth login <provider>` stores one.",
    zh: "还没有凭据。用 `pincer auth login <提供方>` 保存一个。",
  },
  "auth.status.all-agents": { en: "all agents", zh: "所有智能体" },
  "auth.state.ready": { en: "ready", zh: "可用" },
  "auth.state.set-aside": { en: "on cooldown until {until}: {reason}", zh: "暂停使用至 {until}：{reason}" },
  "auth.state.expired": { en: "expired {until}", zh: "已于 {until} 过期" },
  "auth.state.locked": { en: "locked: {reason}", zh: "已锁定：{reason}" },
  "auth.state.not-tried": { en: "not in the order, so not used", zh: "不在顺序中，不会使用" },
  "auth.status.last-used": { en: "used {time}", zh: "使用于 {time}" },
  "auth.status.never-used": { en: "not used yet", zh: "尚未使用" },
  "auth.status.last-error": { en: "last error: {reason}", zh: "上次错误：{reason}" },
  "auth.status.offer": {
    en: "{variable} is set in the environment but not used. `pincer auth import --env` stores it for {provider}.",
    zh: "环境中有 {variable}，但未使用。用 `pincer auth import --env` 可保存给 {provider}。",
  },

  "auth.use": { en: "use this credential first", zh: "优先使用该凭据" },
  "auth.use.done": { en: "{provider} now uses {name} first.", zh: "{provider} 将优先使用 {name}。" },
  "auth.use.set-aside": {
    en: "{provider} will use {name} first, but not before {until}: it is on cooldown ({reason}). `pincer auth test {name}` tries it now.",
    zh: "{provider} 将优先使用 {name}，但要到 {until} 之后：它正在冷却（{reason}）。`pincer auth test {name}` 可立即测试。",
  },
  "auth.use.expired": {
    en: "{name} is now the first for {provider}, but it has expired: `pincer auth login {provider}`.",
    zh: "{name} 现为 {provider} 的首选，但它已过期：`pincer auth login {provider}`。",
  },
  "auth.use.locked": {
    en: "{name} is now the first for {provider}, but it cannot be opened: {reason}",
    zh: "{name} 现为 {provider} 的首选，但无法打开：{reason}",
  },
  "auth.logout": { en: "remove a credential", zh: "删除凭据" },
  "auth.logout.done": { en: "Removed: {name}.", zh: "已删除：{name}。" },
  "auth.logout.in-config": {
    en: "{name} is set in the config.",
    zh: "{name} 写在配置中。",
  },
  "auth.logout.in-config.hint": {
    en: "Remove it there: pincer config unset {path}",
    zh: "请在配置中去掉：pincer config unset {path}",
  },
  "auth.order": {
    en: "show or set the order in which credentials are tried",
    zh: "显示或设置凭据的使用顺序",
  },
  "auth.order.names": { en: "names, the first one used first", zh: "名称，先用的在前" },
  "auth.order.clear": { en: "remove the order", zh: "取消设置的顺序" },
  "auth.order.none": {
    en: "There is no credential for {provider}.",
    zh: "{provider} 没有可用的凭据。",
  },

  "auth.order.both": {
    en: "Give names or --clear, not both.",
    zh: "名称与 --clear 只能选其一。",
  },
  "auth.order.other": {
    en: "{name} belongs to {other}, not to {provider}.",
    zh: "{name} 属于 {other}，不属于 {provider}。",
  },
  "auth.order.other.hint": {
    en: "Set the order of its own provider: pincer auth order {other} {name}",
    zh: "设置其所属的顺序：pincer auth order {other} {name}",
  },

  "auth.test": { en: "ask the provider whether a credential works", zh: "向提供方确认凭据是否有效" },
  "auth.test.works": { en: "{name} works ({detail}).", zh: "{name} 有效（{detail}）。" },
  "auth.test.refused": { en: "{name} is refused: {detail}", zh: "{name} 被拒绝：{detail}" },
  "auth.test.unclear": { en: "{name}: unclear: {detail}", zh: "{name}：无法判断：{detail}" },
  "auth.test.list": { en: "the provider listed its models", zh: "已获得模型列表" },
  "auth.test.list-refused": {
    en: "the provider did not list its models ({detail})",
    zh: "未能获得模型列表（{detail}）",
  },
  "auth.test.no-list": {
    en: "no model of {provider} is known, and the provider lists none ({detail}); name one: pincer models set {provider}/<model>",
    zh: "不知道 {provider} 的任何模型，也未能获得其列表（{detail}）；请指定：pincer models set {provider}/<模型>",
  },
  "auth.test.open-list": {
    en: "{provider} lists its models to everybody, and none of them can be used for a test",
    zh: "{provider} 的模型列表对所有人公开，而其中没有可询问的模型",
  },
  "auth.test.run-out": { en: "it has expired", zh: "已过期" },
  "auth.test.none": { en: "There is no credential to test.", zh: "没有可测试的凭据。" },

  "auth.import": { en: "import credentials", zh: "从其他地方导入凭据" },
  "auth.import.file": { en: "an auth-profiles.json", zh: "auth-profiles.json 文件" },
  "auth.import.from": { en: "the login of another program", zh: "其他程序的登录" },
  "auth.import.env": { en: "keys found in the environment", zh: "环境中的密钥" },
  "auth.import.force": { en: "replace credentials with the same name", zh: "替换同名凭据" },
  "auth.import.what": {
    en: "Say what to import: a file, --from or --env.",
    zh: "请指明导入什么：文件、--from 或 --env。",
  },
  "auth.import.both": {
    en: "--env cannot be combined with a file or --from.",
    zh: "--env 不能与文件或 --from 同时使用。",
  },
  "auth.import.what.hint": {
    en: "For example: pincer auth import auth-profiles.json",
    zh: "例如：pincer auth import auth-profiles.json",
  },
  "auth.import.warning": {
    en: "This uses the login of another program. Its vendor may not allow that; ask them if in doubt.",
    zh: "这会使用其他程序的登录。其厂商可能不允许；如有疑问请向其确认。",
  },
  "auth.import.done": { en: "Imported: {names}.", zh: "已导入：{names}。" },
  "auth.import.kept": { en: "Already there, unchanged: {names}.", zh: "保持不变：{names}。" },
  "auth.import.skipped.no-login": {
    en: "Skipped, because Pincer has no account login for their provider: {names}.",
    zh: "已跳过（其提供方不支持账号登录）：{names}。",
  },
  "auth.import.skipped.empty": {
    en: "Skipped, because they are empty: {names}.",
    zh: "已跳过（没有可用内容）：{names}。",
  },
  "auth.import.nothing": { en: "Nothing was imported.", zh: "没有导入任何内容。" },
  "auth.import.has-key": {
    en: "{provider} already has an API key; the login was not imported. --force imports it anyway.",
    zh: "{provider} 已有 API 密钥，未导入该登录。使用 --force 可强制导入。",
  },
  "auth.bad-file.not-json": { en: "{file} is not JSON.", zh: "{file} 不是 JSON。" },
  "auth.bad-file.no-profiles": {
    en: "{file} has no profiles in a known format.",
    zh: "{file} 没有已知格式的 profiles。",
  },
  "auth.bad-file.bad-profile": {
    en: "The profile {name} in {file} has an unknown format.",
    zh: "{file} 中的 profile {name} 格式未知。",
  },
  "auth.bad-file.reserved-name": {
    en: "A profile in {file} is called {name}, which is reserved for credentials from the config and the environment.",
    zh: "{file} 中有名为 {name} 的 profile，该名称保留给配置和环境中的凭据。",
  },
  "auth.bad-file.no-login": {
    en: "{file} contains no login of that program.",
    zh: "{file} 中没有该程序的登录。",
  },
  "auth.bad-file.too-new": {
    en: "{file} has the unknown version {version}.",
    zh: "{file} 的版本 {version} 未知。",
  },
  "auth.bad-file.hint": { en: "Nothing was changed.", zh: "没有任何改动。" },
  "auth.import.ask": { en: "Store {variable} for {provider}?", zh: "将 {variable} 保存给 {provider}？" },
  "auth.import.nobody": {
    en: "Found: {names}. There is no terminal to ask whether to store them.",
    zh: "找到：{names}。无法询问是否保存。",
  },
  "auth.import.env-none": { en: "The environment contains no known key.", zh: "环境中没有已知的密钥。" },

  "auth.export": {
    en: "write the credentials to a file, secrets included",
    zh: "将凭据写入文件（包括密钥）",
  },
  "auth.export.file": { en: "file to write", zh: "目标文件" },
  "auth.export.force": { en: "replace the file", zh: "替换已有文件" },
  "auth.export.done": {
    en: "Wrote {count} credential(s) to {file}. The file contains the secrets themselves: keep it safe and delete it when done.",
    zh: "已将 {count} 个凭据写入 {file}。其中含有密钥本身：请妥善保管，用完删除。",
  },
  "auth.export.left-out": {
    en: "Skipped, because they belong to one agent: {count}. --agent <agent> exports those.",
    zh: "未导出属于单个智能体的凭据：{count} 个。用 --agent <智能体> 导出。",
  },
  "auth.export.stdout": {
    en: "Secrets are written only to a file, not to the screen: name a file.",
    zh: "密钥只写入文件，不写到屏幕：请指定文件。",
  },
  "auth.export.no-directory": { en: "There is no directory {directory}.", zh: "没有目录 {directory}。" },
  "auth.export.no-directory.hint": {
    en: "Create it first, or name a file elsewhere.",
    zh: "请先创建，或换个位置。",
  },
  "auth.export.exists": { en: "{file} already exists.", zh: "{file} 已存在。" },
  "auth.export.exists.hint": { en: "Choose another name, or use --force.", zh: "换个名称，或使用 --force。" },

  "auth.not-found": { en: "There is no credential {name}.", zh: "没有名为 {name} 的凭据。" },
  "auth.not-found.hint": { en: "`pincer auth status` lists them.", zh: "用 `pincer auth status` 查看。" },
  "auth.gone": { en: "The credential {name} no longer exists.", zh: "凭据 {name} 已不存在。" },
  "auth.unusable": {
    en: "The credential {name} cannot be used for {provider}. Store another: pincer auth login {provider} --name {name}",
    zh: "凭据 {name} 无法用于 {provider}。请重新保存：pincer auth login {provider} --name {name}",
  },
  "auth.refresh-refused": {
    en: "The login {name} is no longer valid. Log in again: pincer auth login {provider} --oauth --name {name}",
    zh: "登录 {name} 已失效。请重新登录：pincer auth login {provider} --oauth --name {name}",
  },
  "auth.refresh-unavailable": {
    en: "The login {name} could not be renewed: the provider did not answer.",
    zh: "无法续期登录 {name}：提供方没有应答。",
  },
  "auth.exhausted": { en: "All auth profiles exhausted:", zh: "所有凭据都已用尽：" },
  "auth.exhausted.none": {
    en: "All auth profiles exhausted: there is none. `pincer auth login <provider>` stores one.",
    zh: "所有凭据都已用尽：没有可用的凭据。用 `pincer auth login <提供方>` 保存一个。",
  },
  "auth.exhausted.line": { en: "- {name}: {reason}", zh: "- {name}：{reason}" },
  "auth.exhausted.line-until": {
    en: "- {name}: {reason} (retried from {until} on)",
    zh: "- {name}：{reason}（{until} 起重新使用）",
  },
} satisfies TextTable;
