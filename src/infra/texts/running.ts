/** What a running gateway says about itself and about turns that went wrong. */
import type { TextTable } from "./table.ts";

export const runningTexts = {
  "gateway.ready": {
    en: "The gateway is running (pid {pid}). Channels: {channels}. Commands reach it at {socket}; Ctrl-C stops it.",
    zh: "网关正在运行（进程 {pid}）。频道：{channels}。命令经由 {socket} 与它通信；按 Ctrl-C 停止。",
  },
  "gateway.lost-disk": {
    en: "The disk failed to store a write ({reason}). The gateway stops, because it could not keep what it accepts; start it again when the disk works.",
    zh: "磁盘不再保存写入的内容（{reason}）。网关就此结束，以免作出无法兑现的承诺；磁盘恢复后请重新启动。",
  },
  "gateway.no-socket": {
    en: "A gateway is running (process {pid}), but {path} does not answer.",
    zh: "网关正在运行（进程 {pid}），但 {path} 无人应答。",
  },
  "gateway.no-socket.hint": {
    en: "It recreates its socket within seconds, unless another file is there: move that away. Otherwise end process {pid} and start it again.",
    zh: "它会在几秒内自行恢复套接字，除非该处有其他文件：请将其移走。否则请结束进程 {pid} 并重新启动。",
  },
  "gateway.alone": {
    en: "The gateway has stopped; this process now answers by itself.",
    zh: "网关已结束；此后由本进程自行作答。",
  },
  "gateway.waiting": {
    en: "The gateway has stopped; waiting for it to come back. Ctrl-C ends the wait.",
    zh: "网关已断开，正在等待它恢复。按 Ctrl-C 停止等待。",
  },
  "gateway.own-profile": {
    en: "A gateway is running and answers with its own config; --config-profile has no effect here.",
    zh: "网关正在运行并使用自己的配置；--config-profile 在此不起作用。",
  },
  "gateway.workdir": {
    en: "the workdir of the running gateway (pid {pid})",
    zh: "正在运行的网关（进程 {pid}）的工作目录",
  },
  "gateway.config-applied": { en: "The config has changed: {paths}", zh: "配置已更改：{paths}" },
  "turn.buried": {
    en: "I could not answer this: I was interrupted {claims} times while I tried. It is quarantined, and my owner can look into it.",
    zh: "我无法回答这条消息：尝试了 {claims} 次，每次都被中断。已将其搁置，由我的所有者查看。",
  },
  "notice.dead-letter": {
    en: "The gateway ended {claims} times while it answered a message, which was quarantined: it may be the cause, or the gateway was killed from outside. See: pincer deadletters show {turnId}",
    zh: "网关在回答一条消息时中断了 {claims} 次，该消息已被搁置：可能是它所致，也可能是网关被外部终止。查看：pincer deadletters show {turnId}",
  },
  "notice.held-restore": {
    en: "The state of {since} UTC came back. {turns} turns and {sends} replies were waiting then; they may have been done since, so they are held. `pincer deadletters list` and `pincer outbox list` show them; `pincer deadletters retry held` runs them, `pincer deadletters drop held` drops them.",
    zh: "已恢复到 {since} UTC 的状态。当时有 {turns} 个轮次和 {sends} 条回复在等待；它们可能已经完成过，因此被暂停。`pincer deadletters list` 和 `pincer outbox list` 可查看；`pincer deadletters retry held` 继续执行，`pincer deadletters drop held` 放弃。",
  },
  "notice.policy-restored": {
    en: "The state of {since} UTC came back, with the rules, people, grants and tokens of then. Rules set since and gone: {rulesGone}; removed since and back: {rulesBack}. Taken away since and valid again: owners {ownersBack}, people {peopleBack}, tokens and devices {accessBack}, grants {grantsBack}. Check `pincer rules list`, `pincer access list` and `pincer pairing list`.",
    zh: "已恢复到 {since} UTC 的状态，规则、人员、授权和令牌也是当时的。此后设置、现已消失的规则：{rulesGone}；此后删除、现已恢复的规则：{rulesBack}。此后撤销、现又有效：所有者 {ownersBack}，人员 {peopleBack}，令牌和设备 {accessBack}，授权 {grantsBack}。请检查 `pincer rules list`、`pincer access list` 和 `pincer pairing list`。",
  },
  "notice.policy-restored-unknown": {
    en: "The state of {since} UTC came back, with the rules, people, grants and tokens of then: what was revoked since is valid again, and rules set since are gone. Check `pincer rules list`, `pincer access list` and `pincer pairing list`.",
    zh: "已恢复到 {since} UTC 的状态，规则、人员、授权和令牌也是当时的：此后撤销的又有效，此后设置的规则已消失。请检查 `pincer rules list`、`pincer access list` 和 `pincer pairing list`。",
  },
  "notice.held-repair": {
    en: "The record of what running turns had done is damaged. {turns} turns are held, because they could do something twice. `pincer deadletters list` shows them; `pincer deadletters retry held` runs them, `pincer deadletters drop held` drops them.",
    zh: "进行中的轮次的执行记录已损坏。有 {turns} 个轮次被暂停，因为它们可能重复执行某些操作。`pincer deadletters list` 可查看；`pincer deadletters retry held` 继续执行，`pincer deadletters drop held` 放弃。",
  },
  "notice.held-loss": {
    en: "The database had lost its last changes ({since} UTC). {turns} turns and {sends} replies wait in the older state; they may have been done since, so they are held. `pincer deadletters list` and `pincer outbox list` show them; `pincer deadletters retry held` runs them, `pincer deadletters drop held` drops them.",
    zh: "数据库丢失了最近的更改（{since} UTC）。较早的状态中有 {turns} 个轮次和 {sends} 条回复在等待；它们可能已经完成过，因此被暂停。`pincer deadletters list` 和 `pincer outbox list` 可查看；`pincer deadletters retry held` 继续执行，`pincer deadletters drop held` 放弃。",
  },
  "notice.channel-broken": {
    en: "The channel {channel} ({accountId}) does not work: {reason}",
    zh: "频道 {channel}（{accountId}）无法工作：{reason}",
  },
  "notice.peer-turn-failed": {
    en: "{person} could not be answered: {reason} See: pincer runs show {turnId}",
    zh: "无法回答 {person}：{reason} 查看：pincer runs show {turnId}",
  },
  "notice.turn-failed": {
    en: "A background turn has failed ({how}). See: pincer runs show {turnId}",
    zh: "一个无人等待的轮次失败了（{how}）。查看：pincer runs show {turnId}",
  },
  "notice.summary-failed": {
    en: "The session {sessionKey} has grown long and could not be summarised: {reason} It continues with what fits; Pincer tries again later.",
    zh: "会话 {sessionKey} 已经很长，但无法总结：{reason} 会话继续使用能放下的内容；稍后会再次尝试总结。",
  },
  "notice.to-owner": { en: "Note for you as the owner: {notice}", zh: "给你（所有者）的提示：{notice}" },
} satisfies TextTable;
