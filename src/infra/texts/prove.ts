import type { TextTable } from "./table.ts";

export const proveTexts = {
  "prove.about": {
    en: "kill Pincer a few hundred times on purpose, and check that no message is lost or duplicated",
    zh: "反复强制结束 Pincer 进程来检验，检查没有消息丢失或重复",
  },
  "prove.quick": { en: "at least 300 runs (this is the default)", zh: "至少 300 次（默认）" },
  "prove.full": {
    en: "at least 10,000 runs; where strace is installed also cuts at system calls and power losses",
    zh: "至少 10000 次；装有 strace 时还包括在系统调用处中断和断电",
  },
  "prove.seed": { en: "the seed for all random choices", zh: "所有随机选择的种子" },
  "prove.runs": { en: "at least this many runs", zh: "至少运行的次数" },
  "prove.sample": {
    en: "only this many runs, chosen by the seed from the 300; not every point is visited",
    zh: "只运行这么多次，由种子从 300 次中抽取；不会经过每个位置",
  },
  "prove.jobs": {
    en: "parallel processes (default: half of the processor's cores)",
    zh: "并行的进程数（默认：处理器核心数的一半）",
  },
  "prove.keep": {
    en: "keep the homes of failed runs for inspection",
    zh: "保留失败的主目录以便查看",
  },
  "prove.repeat": { en: "repeat one series, as named in a report", zh: "重复报告中给出的一组运行" },
  "prove.soak": {
    en: "one long load test instead, with a kill every few seconds; watches memory and delays",
    zh: "改为一次长时间的大量消息运行，每隔几秒强制结束一次；并观察内存和延迟",
  },
  "prove.messages": { en: "messages of the load test", zh: "大量运行的消息数" },
  "prove.sessions": { en: "conversations of the load test", zh: "大量运行的对话数" },
  "prove.progress": {
    en: "run {runs} of about {planned}, faults: {faults}",
    zh: "第 {runs} 次，共约 {planned} 次，问题：{faults}",
  },
  "prove.soak.progress": {
    en: "{answered} of {messages} answered, kills: {kills}",
    zh: "已回复 {answered} / {messages}，强制结束次数：{kills}",
  },
  "prove.runs.count": { en: "runs", zh: "运行次数" },
  "prove.lost": { en: "lost", zh: "丢失" },
  "prove.doubled": { en: "doubled", zh: "重复" },
  "prove.marked": { en: "marked repeats", zh: "已标明的重复" },
  "prove.misordered": { en: "misordered", zh: "顺序错误" },
  "prove.misrouted": { en: "misrouted", zh: "送错对话" },
  "prove.corrupt": { en: "corrupt", zh: "损坏" },
  "prove.told": { en: "reported as failed", zh: "已告知失败" },
  "prove.points": { en: "named points visited", zh: "已中断的命名点" },
  "prove.points.value": { en: "{cut} of {known}", zh: "{cut} / {known}" },
  "prove.power-losses": { en: "power losses", zh: "断电次数" },
  "prove.seeds": { en: "seeds", zh: "种子" },
  "prove.seconds": { en: "seconds", zh: "秒" },
  "prove.kills": { en: "kills", zh: "强制结束次数" },
  "prove.heap": { en: "heap, MB per 10,000 messages", zh: "堆内存，每 10000 条消息 MB" },
  "prove.rss": { en: "resident, MB per 10,000 messages", zh: "常驻内存，每 10000 条消息 MB" },
  "prove.delay": { en: "loop delay p99.9, ms", zh: "事件循环延迟 p99.9，毫秒" },
  "prove.rate": { en: "messages per second", zh: "每秒消息数" },
  "prove.clean": {
    en: "Nothing was lost and nothing silently repeated.",
    zh: "没有丢失，也没有未标明的重复。",
  },
  "prove.faulty": { en: "Faults were found:", zh: "这不应发生。发现的问题：" },
  "prove.again": { en: "again: {command}", zh: "重复：{command}" },
  "prove.kept": { en: "kept: {directory}", zh: "已保留：{directory}" },
  "prove.interrupted": {
    en: "Interrupted; this is what was found so far.",
    zh: "已中断；以下是目前的结果。",
  },
  "prove.no-tracer": {
    en: "strace is not installed: cuts at system calls and power losses are skipped.",
    zh: "未安装 strace：不包括在系统调用处中断和断电。",
  },
  "prove.bad-repeat": {
    en: "This is not a series: {text}",
    zh: "这不是一组运行的名称：{text}",
  },
  "prove.bad-repeat.hint": {
    en: "Copy the text from the report of the failed run.",
    zh: "请使用失败报告中给出的文字。",
  },
  "prove.bad-plant": {
    en: "There is no bug {text} to plant; there are {choices}.",
    zh: "没有可植入的错误 {text}；可选：{choices}。",
  },
} satisfies TextTable;
