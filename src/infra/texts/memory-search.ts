import type { TextTable } from "./table.ts";

/** Searching what is remembered, keeping the index of it, and measuring how well it is found. */
export const memorySearchTexts = {
  "memory.about": {
    en: "search memory, and measure how well the search works",
    zh: "搜索记忆，并衡量搜索的效果",
  },
  "memory.agent": { en: "the agent whose memory it is", zh: "记忆所属的智能体" },

  "memory.search": { en: "find lines of memory files and of conversations", zh: "在记忆文件和对话中查找" },
  "memory.search.words": { en: "a question or words, in any language", zh: "问题或词语，任何语言均可" },
  "memory.search.limit": { en: "how many lines at most", zh: "最多多少行" },
  "memory.search.none": { en: "No results for: {words}", zh: "没有找到：{words}" },
  "memory.search.alike": {
    en: "{count} more are only alike in meaning; --json shows them.",
    zh: "另有 {count} 条只是含义相近；--json 可显示。",
  },
  "memory.search.untrusted": { en: "[untrusted: {label}] ", zh: "[不可信：{label}] " },
  "memory.search.degraded": {
    en: "Searched only by words, not by meaning: {reason}",
    zh: "只按词语查找，没有按含义查找：{reason}",
  },
  "memory.empty": {
    en: "Nothing is indexed yet. Run `pincer memory index` to index it now.",
    zh: "尚未建立索引。用 `pincer memory index` 立即建立。",
  },
  "memory.behind": {
    en: "Not indexed yet: {what}. Run `pincer memory index` to update the index.",
    zh: "尚未加入索引：{what}。用 `pincer memory index` 更新索引。",
  },
  "memory.behind.files": { en: "changed files", zh: "有改动的文件" },
  "memory.behind.sessions": { en: "new messages in sessions: {count}", zh: "有新消息的会话：{count} 个" },
  "memory.behind.vectors": { en: "vectors of lines: {count}", zh: "行的向量：{count} 个" },
  "memory.behind.next": { en: ", ", zh: "，" },

  "memory.status": { en: "what is indexed, and how far the index is behind", zh: "索引了什么，是否落后" },
  "memory.status.state": { en: "state", zh: "状态" },
  "memory.status.idle": { en: "idle", zh: "空闲" },
  "memory.status.indexing": { en: "indexing", zh: "正在索引" },
  "memory.status.indexing-at": { en: "indexing, {share} done", zh: "正在索引，已完成 {share}" },
  "memory.status.off": { en: "disabled in the config", zh: "已在配置中关闭" },
  "memory.status.watching": { en: "{state}; watching the files", zh: "{state}；正在留意文件改动" },
  "memory.status.not-watching": {
    en: "{state}; files are not watched (the gateway does that)",
    zh: "{state}；未留意文件改动，运行网关后会留意",
  },
  "memory.status.lines": { en: "lines", zh: "行数" },
  "memory.status.lines.value": {
    en: "{lines} (memory files {memory}, notes {note}, conversations {conversation})",
    zh: "{lines}（记忆文件 {memory}，笔记 {note}，对话 {conversation}）",
  },
  "memory.status.sources": { en: "sources", zh: "来源" },
  "memory.status.sources.value": {
    en: "{sources}, of which files: {files}",
    zh: "{sources}，其中文件 {files}",
  },
  "memory.status.embedder": { en: "embedder", zh: "向量模型" },
  "memory.status.vectors": { en: "stored vectors", zh: "已存向量" },
  "memory.status.behind": { en: "behind", zh: "落后" },
  "memory.status.up-to-date": { en: "nothing known", zh: "据目前所知没有" },
  "memory.status.synced": { en: "files checked", zh: "上次查看文件" },
  "memory.status.written": { en: "last change", zh: "上次更新" },
  "memory.status.never": { en: "never", zh: "从未" },
  "memory.status.size": { en: "size", zh: "大小" },
  "memory.status.problem": {
    en: "No vectors can be computed at the moment, so search uses only words: {problem}",
    zh: "目前没有生成向量，只能按词语查找：{problem}",
  },
  "memory.status.problem.hint": {
    en: "When that is fixed, `pincer memory index` computes the missing ones.",
    zh: "解决之后，用 `pincer memory index` 补上缺少的向量。",
  },

  "memory.index": {
    en: "update the index from the files and conversations",
    zh: "按文件和对话更新索引",
  },
  "memory.index.rebuild": {
    en: "rebuild it; vectors of unchanged lines are kept",
    zh: "重新建立；未改动的行保留向量",
  },
  "memory.index.no-embed": { en: "compute no vectors now", zh: "现在不生成向量" },
  "memory.index.working": { en: "indexing {share}", zh: "正在索引 {share}" },
  "memory.index.done": {
    en: "The index is up to date. Files: {files}, changed: {changed}; new messages: {messages}; vectors computed: {embedded}; seconds: {seconds}.",
    zh: "索引已更新。文件：{files}，其中有改动：{changed}；新消息：{messages}；生成向量：{embedded}；用时 {seconds} 秒。",
  },
  "memory.index.left": {
    en: "Missing vectors: {left}. Search finds those lines by their words.",
    zh: "仍缺少向量：{left}。这些行可按词语找到。",
  },
  "memory.index.problem": { en: "Vectors could not be computed: {problem}", zh: "无法生成向量：{problem}" },
  "memory.index.skipped": { en: "Skipped: {path}: {reason}", zh: "未索引：{path}：{reason}" },
  "memory.index.interrupted": {
    en: "Stopped. The finished part stays; `pincer memory index` continues from there.",
    zh: "已停止。已完成的会保留；用 `pincer memory index` 继续。",
  },

  "memory.bench": {
    en: "measure how well questions find their lines, with a set or with your own memory",
    zh: "用问题集或自己的记忆来衡量搜索的效果",
  },
  "memory.bench.set": {
    en: "file with the questions and the expected results",
    zh: "问题及应找到内容的文件",
  },
  "memory.bench.embedder": {
    en: "none, local or auto; auto may send the lines to the configured provider",
    zh: "none、local 或 auto；auto 可能把内容发送给所配置的服务商",
  },
  "memory.bench.not-embedder": {
    en: "{embedder} is not one of none, local, auto.",
    zh: "{embedder} 不是 none、local、auto 之一。",
  },
  "memory.bench.limit": { en: "how many lines each question asks for", zh: "每个问题要求的行数" },
  "memory.bench.keep": {
    en: "keep the files and the index made for it",
    zh: "保留为此生成的文件和索引",
  },
  "memory.bench.make": {
    en: "create a set from your own memory and conversations instead",
    zh: "改为用自己的记忆和对话制作问题集",
  },
  "memory.bench.questions": { en: "with --make: how many questions", zh: "与 --make 同用：问题数量" },
  "memory.bench.add": { en: "add your own question to a set instead", zh: "改为向问题集添加自己的问题" },
  "memory.bench.question": { en: "with --add: the question", zh: "与 --add 同用：问题" },
  "memory.bench.relevant": {
    en: "with --add: where the answer is, path:line, comma-separated; empty if nothing should be found",
    zh: "与 --add 同用：答案所在的 路径:行号，多个用逗号分隔；留空表示不应找到任何内容",
  },
  "memory.bench.one-thing": {
    en: "Name a set to measure, or use --make, or use --add.",
    zh: "请指定要衡量的问题集，或使用 --make，或使用 --add。",
  },
  "memory.bench.one-thing.hint": {
    en: "`pincer memory bench --make mine.json` creates a set, `pincer memory bench mine.json` measures it.",
    zh: "`pincer memory bench --make mine.json` 制作问题集，`pincer memory bench mine.json` 衡量它。",
  },
  "memory.bench.add-what": {
    en: "--add needs --question and --relevant.",
    zh: "--add 需要 --question 和 --relevant。",
  },
  "memory.bench.add-what.hint": {
    en: 'For example: pincer memory bench --add mine.json --question "When is the demo?" --relevant memory/2026-11-15.md:3',
    zh: '例如：pincer memory bench --add mine.json --question "演示是什么时候？" --relevant memory/2026-11-15.md:3',
  },
  "memory.bench.indexing": { en: "{name}: indexing", zh: "{name}：正在索引" },
  "memory.bench.embedding": { en: "{name}: vectors {share}", zh: "{name}：向量 {share}" },
  "memory.bench.asking": { en: "{name}: question {done} of {total}", zh: "{name}：第 {done}/{total} 个问题" },
  "memory.bench.head": {
    en: "{name}: lines {lines}, questions {questions}, embedder {embedder}",
    zh: "{name}：{lines} 行，{questions} 个问题，向量模型 {embedder}",
  },
  "memory.bench.column.category": { en: "category", zh: "类别" },
  "memory.bench.column.questions": { en: "questions", zh: "问题" },
  "memory.bench.column.nothing": { en: "nothing", zh: "无结果" },
  "memory.bench.headline": { en: "overall", zh: "总计" },
  "memory.bench.other": { en: "{category} (not counted)", zh: "{category}（不计入）" },
  "memory.bench.unanswerable": {
    en: "Questions without an answer: {questions}; nothing was found for {share} % of them.",
    zh: "没有答案的问题：{questions}；其中 {share} % 没有返回结果。",
  },
  "memory.bench.time": {
    en: "A search took {p50} ms (p50), {p95} ms (p95); indexing took {index} s.",
    zh: "每次搜索 {p50} 毫秒（p50），{p95} 毫秒（p95）；建立索引 {index} 秒。",
  },
  "memory.bench.embed-time": { en: "Computing vectors took {seconds} s.", zh: "生成向量 {seconds} 秒。" },
  "memory.bench.degraded": {
    en: "Questions searched only by words because the embedder failed: {questions} ({reason})",
    zh: "因向量模型出错而只按词语查找的问题：{questions}（{reason}）",
  },
  "memory.bench.kept": { en: "Kept: {directory}", zh: "已保留：{directory}" },
  "memory.bench.made": {
    en: "{file}: lines {lines}, questions {questions}. It contains your own words: keep it to yourself.",
    zh: "{file}：{lines} 行，{questions} 个问题。其中是你自己的内容：请勿外传。",
  },
  "memory.bench.made.next": {
    en: "`pincer memory bench {file}` measures it; `--add` adds your own questions.",
    zh: "`pincer memory bench {file}` 进行衡量；`--add` 添加自己的问题。",
  },
  "memory.bench.made.none": {
    en: "There is nothing to ask about yet: no memory files and no conversations of {agentId}.",
    zh: "还没有可提问的内容：{agentId} 没有记忆文件，也没有对话。",
  },
  "memory.bench.added": {
    en: "Added as {id}; {file} has questions: {questions}.",
    zh: "已添加为 {id}；{file} 现有 {questions} 个问题。",
  },
  "memory.bench.exists": { en: "{file} already exists.", zh: "{file} 已存在。" },
  "memory.bench.exists.hint": {
    en: "Choose another name, so that your own questions are not lost.",
    zh: "请换一个名称；否则你添加的问题会丢失。",
  },
  "memory.bench.unreadable": { en: "{file} cannot be read: {reason}", zh: "无法读取 {file}：{reason}" },
  "memory.bench.unwritable": { en: "{file} cannot be written: {reason}", zh: "无法写入 {file}：{reason}" },
  "memory.bench.bad-set.hint": {
    en: "docs/guides/memory.md describes the format; `pincer memory bench --make example.json` creates a set.",
    zh: "格式见 docs/guides/memory.md；`pincer memory bench --make example.json` 可制作一个。",
  },
  "memory.bench.bad.json": {
    en: "{file} is not a set of questions: it is not JSON ({reason})",
    zh: "{file} 不是问题集：不是 JSON（{reason}）",
  },
  "memory.bench.bad.form": {
    en: "{file} is not a set of questions: {place}: {reason}",
    zh: "{file} 不是问题集：{place}：{reason}",
  },
  "memory.bench.bad.doubled": {
    en: "{file}: the id {id} occurs twice in {place}.",
    zh: "{file}：{place} 中的 id {id} 重复。",
  },
  "memory.bench.bad.date": {
    en: "{file}: document {id} of {collection} has a date that does not exist: {date}",
    zh: "{file}：{collection} 中文档 {id} 的日期不存在：{date}",
  },
  "memory.bench.bad.unknown": {
    en: "{file}: question {query} names {id}, which is not a document of {collection}.",
    zh: "{file}：问题 {query} 指向 {id}，但 {collection} 中没有该文档。",
  },
  "memory.bench.no-place": {
    en: "The set has no line {id}.",
    zh: "问题集中没有 {id} 这一行。",
  },
  "memory.bench.no-place.hint": {
    en: "`pincer memory search` shows lines as path:line; lines written after the set was created are not in it.",
    zh: "`pincer memory search` 会以 路径:行号 显示位置；制作问题集之后写入的行不在其中。",
  },
  "memory.bench.no-local": {
    en: "The local embedder is not installed.",
    zh: "尚未安装本地向量模型。",
  },
  "memory.bench.no-local.hint": { en: "Install it: {command}", zh: "安装方法：{command}" },
} satisfies TextTable;
