import type { TextTable } from "./table.ts";

/** The doctor's looks at what surrounds the home, and what each finding means. */
export const doctorTexts = {
  "doctor.repair": {
    en: "repair what can be repaired without losing data; asks first",
    zh: "修复可无损修复的问题；会先询问",
  },
  "doctor.dry-run": {
    en: "with --repair: only show what it would repair",
    zh: "与 --repair 一起：只显示将修复什么",
  },
  "doctor.would": { en: "would be repaired: {title}: {message}", zh: "将修复：{title}：{message}" },
  "doctor.would.none": { en: "There is nothing to repair.", zh: "没有需要修复的内容。" },
  "doctor.sure": { en: "Repair these {count} findings?", zh: "修复这 {count} 项吗？" },
  "doctor.not-sure": { en: "nothing was repaired", zh: "未做任何修复" },
  "doctor.why": { en: "    Why it matters: {why}", zh: "    影响：{why}" },
  "doctor.guide": { en: "    Guide: docs/guides/{guide}.md", zh: "    指南：docs/guides/{guide}.md" },
  "doctor.guide.page": {
    en: "    Guide: docs/guides/{guide}.md, {address}/docs/{guide}",
    zh: "    指南：docs/guides/{guide}.md，{address}/docs/{guide}",
  },
  "doctor.credentials": { en: "credentials", zh: "凭据" },
  "doctor.credentials.none": {
    en: "none yet, and no model is chosen: run `pincer onboard` to connect one",
    zh: "尚无，也未选择模型：`pincer onboard` 可连接",
  },
  "doctor.credentials.ok": { en: "{count} stored, none expired", zh: "已保存 {count} 个，均未过期" },
  "doctor.credentials.expired": { en: "{id} expired ({until})", zh: "{id} 已过期（{until}）" },
  "doctor.credentials.soon": { en: "{id} expires at {until}", zh: "{id} 将于 {until} 过期" },
  "doctor.credentials.set-aside": {
    en: "{id} is on cooldown until {until}: {reason}",
    zh: "{id} 已搁置至 {until}：{reason}",
  },
  "doctor.credentials.next": {
    en: "`pincer auth test {id}` asks the provider; `pincer configure model` connects another.",
    zh: "`pincer auth test {id}` 询问提供方；`pincer configure model` 可连接其他模型。",
  },
  "doctor.reach": { en: "model server", zh: "模型服务器" },
  "doctor.reach.none": { en: "no model over the network is chosen", zh: "未选择网络上的模型" },
  "doctor.reach.ok": { en: "{origin} answers", zh: "{origin} 有回应" },
  "doctor.reach.dark": {
    en: "{reference} cannot be reached at {origin} ({reason})",
    zh: "无法在 {origin} 连接 {reference}（{reason}）",
  },
  "doctor.reach.next": {
    en: "Check the network, a proxy or firewall, and whether the server runs; `pincer models test` asks it.",
    zh: "请检查网络、代理或防火墙，以及服务器是否在运行；`pincer models test` 可测试。",
  },
  "doctor.clock": { en: "clock", zh: "时钟" },
  "doctor.clock.behind": {
    en: "it shows {now}, but something was already written at {last}",
    zh: "当前显示 {now}，但已有内容写于 {last}",
  },
  "doctor.clock.differs": {
    en: "it shows {now}, but {origin} says {told}",
    zh: "当前显示 {now}，而 {origin} 显示 {told}",
  },
  "doctor.clock.next": {
    en: "Set the clock, preferably from the network (`timedatectl set-ntp true`).",
    zh: "请校正时钟，最好使用网络时间（`timedatectl set-ntp true`）。",
  },
  "doctor.port": { en: "port", zh: "端口" },
  "doctor.port.own": { en: "used by the gateway ({port})", zh: "网关正在使用（{port}）" },
  "doctor.port.any": { en: "any free port", zh: "任意空闲端口" },
  "doctor.port.free": { en: "{port} is free", zh: "{port} 空闲" },
  "doctor.port.taken": { en: "another program uses port {port}", zh: "端口 {port} 被其他程序占用" },
  "doctor.port.refused": {
    en: "port {port} cannot be used ({reason})",
    zh: "端口 {port} 无法使用（{reason}）",
  },
  "doctor.port.next": {
    en: "Stop that program, or choose another port: `pincer config set gateway.port 18651`.",
    zh: "请停止该程序，或换一个端口：`pincer config set gateway.port 18651`。",
  },
  "doctor.service": { en: "service", zh: "服务" },
  "doctor.service.runs": { en: "the gateway is running (process {pid})", zh: "网关正在运行（进程 {pid}）" },
  "doctor.service.none": { en: "not installed, and no gateway is running", zh: "未安装，也没有网关在运行" },
  "doctor.service.stopped": {
    en: "installed ({file}), but not running",
    zh: "已安装（{file}），但没有运行",
  },
  "doctor.service.next.systemd": {
    en: "Start it with `systemctl --user start pincer`; `journalctl --user -u pincer` shows why it stopped.",
    zh: "`systemctl --user start pincer` 可启动；`journalctl --user -u pincer` 说明停止原因。",
  },
  "doctor.service.next.launchd": {
    en: "Start it again with `pincer gateway install`; `pincer logs` shows why it stopped.",
    zh: "`pincer gateway install` 可重新启动；`pincer logs` 说明停止原因。",
  },
  "doctor.channels": { en: "channels", zh: "频道" },
  "doctor.channels.none": { en: "none is connected", zh: "尚未连接" },
  "doctor.channels.ok": { en: "receiving: {names}", zh: "正常接收：{names}" },
  "doctor.channels.elsewhere": {
    en: "{names}; the running gateway receives from them",
    zh: "{names}；由运行中的网关接收",
  },
  "doctor.channels.nobody-listens": {
    en: "nothing is received on {names}: no gateway is running",
    zh: "没有网关运行，无人接收 {names}",
  },
  "doctor.channels.start": {
    en: "Start one with `pincer gateway start --daemon`.",
    zh: "`pincer gateway start --daemon` 可启动。",
  },
  "doctor.channels.deaf": { en: "{name} receives nothing: {reason}", zh: "{name} 收不到消息：{reason}" },
  "doctor.channels.unsure": {
    en: "unclear whether {name} receives: {reason}",
    zh: "无法确定 {name} 是否能收到消息：{reason}",
  },
  "doctor.channels.next": {
    en: "`pincer channels status --probe` asks the network; `pincer configure channel` sets it up again.",
    zh: "`pincer channels status --probe` 询问网络；`pincer configure channel` 可重新设置。",
  },
  "doctor.leftovers": { en: "undelivered", zh: "遗留" },
  "doctor.leftovers.ok": { en: "nothing was given up", zh: "没有被放弃的消息" },
  "doctor.leftovers.outbox": {
    en: "replies that could not be delivered: {count}",
    zh: "未能送达的回复：{count}",
  },
  "doctor.leftovers.outbox.next": {
    en: "`pincer outbox list` lists them; use `pincer outbox retry` or `drop` for each.",
    zh: "`pincer outbox list` 查看；`pincer outbox retry` 或 `drop` 逐条处理。",
  },
  "doctor.leftovers.dead": { en: "messages that were given up: {count}", zh: "被放弃的消息：{count}" },
  "doctor.leftovers.dead.next": {
    en: "`pincer deadletters list` lists them; use `pincer deadletters retry` or `drop` for each.",
    zh: "`pincer deadletters list` 查看；`pincer deadletters retry` 或 `drop` 逐条处理。",
  },
  "doctor.update": { en: "update", zh: "更新" },
  "doctor.update.ok": {
    en: "the gateway runs the installed version ({version})",
    zh: "网关运行的就是已安装的版本（{version}）",
  },
  "doctor.update.waits": {
    en: "version {here} is installed, but the gateway still runs {runs}",
    zh: "已安装版本 {here}，但网关仍在运行 {runs}",
  },
  "doctor.update.next": {
    en: "`pincer gateway restart` starts the new version; nothing is lost.",
    zh: "`pincer gateway restart` 即可生效；不会丢失任何内容。",
  },
  "doctor.why.node": {
    en: "An older Node lacks features that Pincer needs.",
    zh: "较旧的 Node 缺少本产品所需的功能。",
  },
  "doctor.why.home": { en: "Pincer stores everything there.", zh: "所有数据都保存在那里。" },
  "doctor.why.disk": {
    en: "With a full disk Pincer cannot answer.",
    zh: "磁盘写满后将无法回答，直到有空间为止。",
  },
  "doctor.why.permissions": {
    en: "Other users of this machine could read conversations and keys.",
    zh: "本机的其他用户可能读到对话和密钥。",
  },
  "doctor.why.config": {
    en: "A file that cannot be read is not used: the last good config or the defaults apply.",
    zh: "无法读取的配置不会生效：生效的是上一份有效配置或默认值。",
  },
  "doctor.why.secrets": {
    en: "Secrets that cannot be decrypted cannot be used: providers and channels will reject requests.",
    zh: "打不开的密钥无法使用：提供方和频道会拒绝。",
  },
  "doctor.why.credentials": {
    en: "An unusable credential is skipped, and the next one is charged.",
    zh: "失效的凭据不会被使用，费用由下一个承担。",
  },
  "doctor.why.direct-messages": {
    en: "Strangers could use the assistant at your cost.",
    zh: "陌生人可能让助手为他们工作，费用由你承担。",
  },
  "doctor.why.model": { en: "Without a model there are no answers.", zh: "没有模型就没有回答。" },
  "doctor.why.reach": {
    en: "Until this is fixed, that model cannot answer.",
    zh: "在此期间那里不会有回答。",
  },
  "doctor.why.clock": {
    en: "Logins, certificates, budgets and schedules depend on the clock.",
    zh: "登录、证书、预算和日程都以时钟为准。",
  },
  "doctor.why.workdir": { en: "The assistant works with files there.", zh: "助手在那里处理文件。" },
  "doctor.why.sandbox": {
    en: "Programs that the assistant runs are less confined than they could be.",
    zh: "助手运行的程序未得到充分隔离。",
  },
  "doctor.why.prompt-files": {
    en: "The assistant does not see what is cut off.",
    zh: "被略去的内容助手并不知道。",
  },
  "doctor.why.port": {
    en: "The gateway cannot serve its page and API.",
    zh: "网关将无法提供页面和 API。",
  },
  "doctor.why.service": {
    en: "Channels, schedules and the page do not work while it is stopped.",
    zh: "未运行期间频道、日程和页面都不可用。",
  },
  "doctor.why.channels": {
    en: "Messages sent there get no answer.",
    zh: "发到那里的消息得不到回答。",
  },
  "doctor.why.leftovers": {
    en: "Somebody may still be waiting for an answer.",
    zh: "可能还有人在等待回答。",
  },
  "doctor.why.database": {
    en: "It stores conversations, credentials and waiting messages.",
    zh: "它保存对话、凭据和待办。",
  },
  "doctor.why.sessions": {
    en: "These conversations exist but are missing from the list.",
    zh: "对话仍在，但不会出现在列表中。",
  },
  "doctor.why.transcripts": {
    en: "The readable copies differ from the database.",
    zh: "可读副本与保存的内容不一致。",
  },
  "doctor.why.leases": { en: "Harmless: the next process takes over.", zh: "无害：后来者会接管。" },
  "doctor.why.audit": { en: "The audit log can no longer be fully trusted.", zh: "其内容已不能完全信任。" },
  "doctor.why.update": { en: "What the update fixes is not fixed yet.", zh: "更新所修复的问题尚未生效。" },
} satisfies TextTable;
