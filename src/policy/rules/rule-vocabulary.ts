/**
 * The words that a rule may consist of, in English and Chinese. A sentence with any other word is not understood: it
 * is better to say so than to enforce half of it.
 */

/** Actions. `make` means to write, but only with an object: "make things" is not about files. */
export type Deed =
  | "run"
  | "deploy"
  | "write"
  | "delete"
  | "make"
  | "read"
  | "touch"
  | "send"
  | "browse"
  | "search"
  | "plan"
  | "remember";
/** Targets. A picture is a file when it is deleted, and something else when it is viewed. */
export type Thing = "program" | "file" | "picture" | "message" | "person" | "web" | "link" | "plan" | "any";

export type Meaning =
  | { type: "deed"; deed: Deed }
  | { type: "thing"; thing: Thing }
  /** A noun that is a verb as well: "message", "mail". */
  | { type: "either"; deed: Deed; thing: Thing }
  | { type: "joint"; joint: Joint }
  /** Precedes the subject of a memory. */
  | { type: "about" }
  | { type: "filler" };

/** Connects two parts of a rule. */
export type Joint = "or" | "and" | "comma";

const deeds: Record<Deed, string> = {
  run: "run execute launch start spawn invoke use call 执行 运行 跑 启动 使用 用 调用 开",
  deploy: "deploy install uninstall reboot sudo 部署 安装 卸载 装 重启 发版",
  write:
    "write edit overwrite change modify alter move rename replace update patch truncate 写 写入 编辑 修改 改 改动 更改 变更 清空 覆盖 移动 重命名 替换 更新",
  delete: "delete remove erase wipe 删除 删掉 删 移除 清除",
  make: "make create save add set 创建 新建 建 保存 设置 设",
  read: "read open view inspect scan list see 读 读取 查看 看 打开 列出 翻看",
  touch: "touch access 碰 动 触碰 访问 接触 进入 触动",
  send: "send forward contact tweet dm 发 发送 发给 发出 转发 联系 群发 寄 寄出 发帖",
  browse:
    "browse surf visit google fetch download crawl scrape click 浏览 上网 抓取 下载 爬取 爬 点击 点开 联网",
  search: "search look 搜索 搜 查找 检索",
  plan: "schedule remind 安排 定时 提醒我",
  remember: "remember memorize memorise 记住",
};

const things: Record<Thing, string> = {
  program:
    "command commands shell terminal bash console program programs script scripts process processes software package packages app apps application applications binary binaries executable executables deployment deployments deploys installation installations 命令 指令 脚本 程序 终端 命令行 软件 软件包 应用 进程",
  file: "file files folder folders directory directories document documents disk filesystem code 文件 文件夹 目录 文档 代码 磁盘 资料",
  picture: "photo photos pictures 照片 相片 图片",
  message:
    "messages mails email emails e-mails texts sms posts tweets dms notification notifications 消息 信息 短信 邮件 电子邮件 私信 帖子 通知 信",
  person:
    "anyone anybody someone somebody others else people everyone everybody strangers stranger group groups chat chats channel channels contacts 别人 任何人 其他人 他人 人 大家 陌生人 外人 群 群里 群组 群聊 所有人",
  web: "web internet online browser 网络 互联网 浏览器 网上 网",
  link: "link links url urls website websites site sites page pages webpage webpages 网页 网站 链接 网址",
  plan: "reminder reminders schedules job jobs cron alarm alarms timer timers task tasks 提醒 定时任务 计划任务 任务 日程 闹钟 定时器",
  any: "anything something everything 任何东西 任何内容 一切",
};

/** Nouns that say what is forbidden by themselves: "no emails", "no shell commands". */
export const tellingNouns: ReadonlySet<string> = new Set(
  words(
    "command commands shell deployment deployments deploys installation installations messages mails email emails e-mails sms tweets dms web internet reminders cron alarms 命令 消息 邮件 短信 私信",
  ),
);

const either: Array<[string, Deed, Thing]> = [
  ["message", "send", "message"],
  ["mail", "send", "message"],
  ["email", "send", "message"],
  ["e-mail", "send", "message"],
  ["text", "send", "message"],
  ["post", "send", "message"],
];

const joints: Record<Joint, string> = {
  or: "or nor / 、 或 或者",
  and: "and & 和 与 及 并 并且",
  comma: ",",
};

/** No `up`, `out`, `off`: they make another verb of the one before ("make things up"). */
const fillers =
  "a an the any all my your our of to in on from under inside within at into with via ever again please there that this these those is are for you by tool tools through 的 我 我的 你 里 里面 里的 中 中的 下 下面 下的 内 内的 上 上的 在 到 给 向 对 跟 再 去 来 了 任何 所有 任意 这个 那个 这些 那些 把 将 往 从 工具 也 都 我们 您 您的 它 一个 一些";

export const vocabulary: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...words(fillers).map((word) => [word, { type: "filler" }] as const),
  ...words("about 关于").map((word) => [word, { type: "about" }] as const),
  ...entries(joints).flatMap(([joint, text]) =>
    words(text).map((word) => [word, { type: "joint", joint }] as const),
  ),
  ...entries(things).flatMap(([thing, text]) =>
    words(text).map((word) => [word, { type: "thing", thing }] as const),
  ),
  ...entries(deeds).flatMap(([deed, text]) =>
    words(text)
      .flatMap((word) => [word, ...doing(word)])
      .map((word) => [word, { type: "deed", deed }] as const),
  ),
  ...either.flatMap(([word, deed, thing]) => [
    [word, { type: "either", deed, thing }] as const,
    ...doing(word).map((form) => [form, { type: "deed", deed }] as const),
  ]),
]);

/** One word for two actions, and its parts. */
export const pairs: ReadonlyMap<string, readonly string[]> = new Map([
  ["读写", ["读", "或", "写"]],
  ["删改", ["删", "或", "改"]],
]);

/** Longest first, so that 文件夹 is not read as 文件 with a remainder. */
export const chineseWords: readonly string[] = [...vocabulary.keys(), ...pairs.keys()]
  .filter((word) => /\p{Script=Han}/u.test(word))
  .sort((one, other) => other.length - one.length);

function words(text: string): string[] {
  return text.split(" ");
}

function entries<Key extends string>(record: Record<Key, string>): Array<[Key, string]> {
  return Object.entries(record) as Array<[Key, string]>;
}

/** send → sending, delete → deleting, run → running. */
function doing(word: string): string[] {
  if (!/^[a-z-]+$/.test(word)) return [];
  const stem = word.replace(/e$/, "");
  return [`${stem}ing`, `${stem}${stem.at(-1) ?? ""}ing`];
}
