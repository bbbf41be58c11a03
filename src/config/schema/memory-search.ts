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
  "Memory search. The choice of the embedder applies to all agents.",
  "记忆搜索。嵌入器的选择对所有智能体有效。",
  {
    enabled: flag("Whether the assistant may search its memory.", "助手能否搜索其记忆。", { default: true }),
    sources: Type.Array(Type.Enum(["memory", "sessions"]), {
      ...described(
        "What is searched: memory files, and conversations.",
        "可搜索的内容：记忆文件和会话中说过的话。",
      ),
      default: ["memory", "sessions"],
    }),
    provider: listedText(
      'The embedder; "auto" uses the best one available, "compatible" any OpenAI-compatible server.',
      "由谁生成嵌入；“auto”选用现有最佳者，“compatible”为任何兼容 OpenAI 的服务器。",
      embedderNames,
      { default: "auto" },
    ),
    model: Type.Optional(
      text("Embedding model; default: the provider's usual one.", "嵌入模型；未设置时用提供方的默认模型。"),
    ),
    remote: Type.Optional(
      section(
        "Where to request embeddings, if not at the provider's own address.",
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
              "Key; default: the stored one of the provider.",
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
      "The local embedder, if its package is installed.",
      "在本机运行的嵌入器（须已安装其软件包）。",
      {
        vectorWeight: share(
          "Weight of meaning with the local embedder.",
          "由其生成嵌入时，语义的权重。",
          0.3,
        ),
        textWeight: share("Weight of words with the local embedder.", "由其生成嵌入时，词语的权重。", 0.7),
        idleSeconds: count("Idle seconds after which its process ends.", "闲置多少秒后结束其进程。", {
          minimum: 1,
          default: 60,
        }),
      },
    ),
    query: section("How to search.", "如何搜索。", {
      hybrid: section("Words and meaning together.", "词语与语义结合。", {
        enabled: flag("Whether both are used.", "是否两者都用。", { default: true }),
        vectorWeight: share(
          "Weight of meaning with a provider's embeddings.",
          "由提供方生成嵌入时，语义的权重。",
          0.7,
        ),
        textWeight: share(
          "Weight of words with a provider's embeddings.",
          "由提供方生成嵌入时，词语的权重。",
          0.3,
        ),
        candidateMultiplier: count(
          "Candidates considered per requested result.",
          "每个所需结果考察的候选数。",
          {
            minimum: 1,
            default: 4,
          },
        ),
      }),
    }),
    sync: section("How the index is kept up to date.", "如何保持索引最新。", {
      watch: flag("Whether a running gateway watches the memory files.", "运行中的网关是否监视记忆文件。", {
        default: true,
      }),
      watchDebounceMs: count(
        "Delay between the last change of a file and reading it, in milliseconds.",
        "文件最后一次更改后多久读取，毫秒。",
        { default: 1500 },
      ),
    }),
    cache: section(
      "A cache of embeddings, so that no text is embedded twice.",
      "嵌入的缓存，避免重复计算。",
      {
        enabled: flag("Whether the cache is used.", "是否使用缓存。", { default: true }),
        maxEntries: count("Maximum number of entries.", "最多缓存多少条。", { minimum: 1, default: 50_000 }),
      },
    ),
  },
);
