/** Messages as they are stored, read for people: whose words, which files, what was thought. Pure. */
import {
  markedTexts,
  type AssistantMessage,
  type MessageFile,
  type PastedRange,
  type ToolResultMessage,
  type UserMessage,
} from "@pincer/sdk";

export interface ReadUserMessage {
  text: string;
  /** Left out where nobody can tell. */
  pasted: readonly PastedRange[] | undefined;
  /** What came along in the words of others. */
  quoted: string;
  files: MessageFile[];
  /** Whose words they are, where they are not the owner's. */
  from: string;
  /** Whether the owner said it, in words or by files alone, and it can be said again. */
  isOwn: boolean;
}

type Block = UserMessage["content"][number];

export function readUserMessage({ content, files }: UserMessage): ReadUserMessage {
  const texts = content.filter((block) => block.type === "text");
  const isAlong = ({ origin, pasted }: (typeof texts)[number]) =>
    pasted !== "certain" && (origin === "quoted" || origin === "web");
  const along = texts.filter(isAlong);
  const spoken = texts.filter((block) => !isAlong(block));
  const names = new Set((files ?? []).map(({ name, mimeType }) => name ?? mimeType));
  const pictures = content.flatMap((block: Block): MessageFile[] =>
    block.type === "image" ? [{ media: block.media, mimeType: block.mimeType }] : [],
  );
  const { text, pasted } = markedTexts(spoken);
  const first = spoken.find(({ pasted }) => pasted !== "certain");
  const list = along.find(({ text }) => isFileList(text, names));
  // A message without typed words has no line that says whose it is; what was pasted has, and the list of its files.
  const pastedBy = spoken[0]?.from?.replace(/^pasted(?: by )?/, "");
  const whose = first?.from ?? pastedBy ?? list?.from?.replace(/^with a message of /, "") ?? "";
  const isOwn = first
    ? first.origin === "owner" && !/^"?(?:hook|tool|session|schedule):/.test(first.from ?? "")
    : pastedBy === "" ||
      (spoken.length === 0 && along.length === 1 && list !== undefined && whose === "owner");
  return {
    text,
    pasted: spoken.some((block) => block.pasted === "possible") ? undefined : pasted,
    quoted: along
      .map(({ text }) => text)
      .filter((text) => !isFileList(text, names))
      .join("\n"),
    files: files ?? pictures,
    from: isOwn ? "" : whose,
    isOwn,
  };
}

/** The model is told of files in words; people see the files. */
const isFileList = (text: string, names: ReadonlySet<string>): boolean =>
  text.split("\n").every((line) => names.has(/^\[[a-z]+: (.*)\]$/.exec(line)?.[1] ?? "\n"));

export interface ReadAnswer {
  text: string;
  thinking: string;
}

export function readAnswer({
  content,
  stopReason,
}: Pick<AssistantMessage, "content"> & Partial<Pick<AssistantMessage, "stopReason">>): ReadAnswer {
  const said = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const words = stopReason === "aborted" ? said.replace(stopWords, "") : said;
  const thoughts = content.flatMap((block) =>
    block.type === "thinking" && block.redacted !== true ? [block.thinking] : [],
  );
  const { text, thinking } = withoutTags(words);
  return { text, thinking: [...thoughts, ...thinking].join("\n\n").trim() };
}

/** The gateway says it in its own language; the page says it in that of its reader, beside the answer. */
const stopWords = /(?:^|\n\n)(?:Stopped\.|已停止。)$/;

const thoughtTag = /<(think|thinking|thought|reasoning)>([\s\S]*?)(?:<\/\1>|$)/gi;
const otherTags = /<\/?final>|\[\[\s*reply_to[^\]]{0,200}\]\]\s?/gi;

/** Tags of models are no words. Within code they stand for themselves. */
function withoutTags(words: string): { text: string; thinking: string[] } {
  const thinking: string[] = [];
  if (!/[<[]/.test(words) || words.includes("`")) return { text: words, thinking };
  const text = words.replace(thoughtTag, (_all, _tag: string, thought: string) => {
    thinking.push(thought.trim());
    return "";
  });
  return { text: text.replace(otherTags, "").trim(), thinking };
}

export interface ReadResult {
  output: string;
  pictures: MessageFile[];
  state: "done" | "failed" | "denied";
  ms: number | undefined;
  /** Of a program that failed. */
  exitCode: number | undefined;
}

export function readResult({ content, isError, details }: ToolResultMessage): ReadResult {
  const output = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const ms = (details as { usage?: { durationMs?: unknown } } | undefined)?.usage?.durationMs;
  const code = (details as { data?: { exitCode?: unknown } } | undefined)?.data?.exitCode;
  const exitCode = typeof code === "number" && code !== 0 ? code : undefined;
  const isDenied = isError && /^(?:execution_error: )?(?:Denied:|\S+ may not run\b)/.test(output);
  return {
    output,
    pictures: content.flatMap((block) =>
      block.type === "image" ? [{ media: block.media, mimeType: block.mimeType }] : [],
    ),
    state: isDenied ? "denied" : isError || exitCode !== undefined ? "failed" : "done",
    ms: typeof ms === "number" && ms > 0 ? ms : undefined,
    exitCode,
  };
}
