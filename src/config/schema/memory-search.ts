/** Search in memory, and who makes the embeddings for it. */
import { Type } from "typebox";
import { addressText, count, described, flag, listedText, secretText, section, text } from "./keys.ts";

/** Who may make embeddings, as the config names them. */
export const embedderNames = [
  "auto",
  "none",
  "openai",
  "gemini",
  "voyage",
  "ollama",
  "compatible",
  "local",
] as const;

const share = (en: string, zh: string, value: number) =>
  Type.Number({ ...described(en, zh), minimum: 0, maximum: 1, default: value });

export const memorySearchSection = section(
  "Search in memory. Who makes embeddings holds for all agents.",
  "记忆搜索。由谁生成嵌入对所有智能体有效。",
  {
    enabled: flag("Whether the assistant may search its memory.", "助手能否搜索其记忆。", { default: true }),
    sources: Type.Array(Type.Enum(["memory", "sessions"]), {
      ...described(
        "What can be found: the files of memory, and what was said in sessions.",
        "可搜索的内容：记忆文件和会话中说过的话。",
      ),
      default: ["memory", "sessions"],
    }),
    provider: listedText(
      'Who makes embeddings; "auto" takes the best of what is there, "compatible" any server that speaks as OpenAI does.',
      "由谁生成嵌入；“auto”选用现有最佳者，“compatible”为任何兼容 OpenAI 的服务器。",
      embedderNames,
      { default: "auto" },
    ),
    model: Type.Optional(
      text(
        "Embedding model; unless told, the provider's usual one.",
        "嵌入模型；未设置时用提供方的默认模型。",
      ),
    ),
    remote: Type.Optional(
      section(
        "Where embeddings are asked for, if not at the provider's own address.",
        "若不在提供方自己的地址，则在何处请求嵌入。",
        {
          baseUrl: Type.Optional(
            addressText(
              "Address, such as http://127.0.0.1:8080/v1.",
              "地址，例如 http://127.0.0.1:8080/v1。",
            ),
          ),
          apiKey: Type.Optional(
            secretText(
              "Key; unless told, the one that is known for the provider.",
              "密钥；未设置时用该提供方已知的密钥。",
            ),
          ),
          headers: Type.Optional(
            Type.Record(
              Type.String(),
              Type.String({ ...described("Value of the header.", "请求头的值。"), secret: true }),
              {
                ...described("Sent with each request.", "随每个请求发送。"),
              },
            ),
          ),
        },
      ),
    ),
    local: section(
      "The embedder that runs on this machine, where its package is installed.",
      "在本机运行的嵌入器（须已安装其软件包）。",
      {
        vectorWeight: share(
          "Weight of meaning, where it makes the embeddings.",
          "由其生成嵌入时，语义的权重。",
          0.3,
        ),
        textWeight: share(
          "Weight of words, where it makes the embeddings.",
          "由其生成嵌入时，词语的权重。",
          0.7,
        ),
        idleSeconds: count("Its process ends after so long without work.", "闲置这么久后其进程结束。", {
          minimum: 1,
          default: 60,
        }),
      },
    ),
    query: section("How a search is done.", "如何搜索。", {
      hybrid: section("Words and meaning together.", "词语与语义结合。", {
        enabled: flag("Whether both are used.", "是否两者都用。", { default: true }),
        vectorWeight: share(
          "Weight of meaning, where a provider makes the embeddings.",
          "由提供方生成嵌入时，语义的权重。",
          0.7,
        ),
        textWeight: share(
          "Weight of words, where a provider makes the embeddings.",
          "由提供方生成嵌入时，词语的权重。",
          0.3,
        ),
        candidateMultiplier: count("Candidates looked at per result wanted.", "每个所需结果考察的候选数。", {
          minimum: 1,
          default: 4,
        }),
      }),
    }),
    sync: section("How the index follows what is written.", "索引如何跟随写入的内容。", {
      watch: flag(
        "Whether a running gateway watches the files of memory.",
        "运行中的网关是否监视记忆文件。",
        { default: true },
      ),
      watchDebounceMs: count(
        "How long after the last change of a file it is read, in milliseconds.",
        "文件最后一次更改后多久读取，毫秒。",
        { default: 1500 },
      ),
    }),
    cache: section("Embeddings kept so that no text is embedded twice.", "保存嵌入，使同一文本不重复嵌入。", {
      enabled: flag("Whether they are kept.", "是否保存。", { default: true }),
      maxEntries: count("How many are kept.", "保存多少个。", { minimum: 1, default: 50_000 }),
    }),
  },
);
