/**
 * What holds where nobody said anything. The schema takes its defaults from here, so they are written once,
 * and a start without a config file needs nothing but this object: no parser, no schema.
 */
export const defaultConfig = {
  configVersion: 1,
  edition: "personal" as const,
  owners: [],
  notify: {},
  language: "auto" as const,
  profiles: {},
  gateway: {
    port: 18650,
    bind: "loopback" as const,
    trustedProxies: [],
    auth: { mode: "token" as const },
    default: {
      withTools: true,
      pairingPolicy: "pairing" as const,
      pairingAllowFrom: [],
      pairingPendingTtlMs: 3_600_000,
      pairingPendingMax: 3,
    },
    channels: {},
  },
  models: {
    providers: {},
    discover: true,
    allowedProviders: [],
    allowedModels: [],
    attempts: 3,
    idleTimeoutMs: 120_000,
    totalTimeoutMs: 600_000,
    maxArgumentsBytes: 2_000_000,
    cacheRetention: "short" as const,
  },
  auth: {
    order: {},
    profiles: {},
    cooldowns: {
      baseMs: 5 * 60_000,
      factor: 5,
      maxMs: 3_600_000,
      billingBaseMs: 30 * 60_000,
      billingFactor: 2,
      billingMaxMs: 24 * 3_600_000,
    },
  },
  budgets: { turn: { calls: 200 }, session: {}, agent: {}, day: {}, month: {} },
  agents: {
    defaults: {
      model: { fallbacks: [] },
      // Means the folder of that name in the home, wherever the home is.
      workspace: "~/.pincer/workspace",
      toolMaxSteps: 50,
      maxRepeatedCalls: 3,
      thinkingDefault: "off" as const,
      reasoningDefault: "off" as const,
      blockStreamingBreak: "text_end" as const,
      maxContextMessages: 50,
      restrictToWorkspace: true,
      context: {
        strategy: "full" as const,
        includeSkills: [],
        excludeSkills: [],
        includeTools: [],
        excludeTools: [],
        includeMemory: true,
        includeRuntime: true,
      },
      bootstrapMaxChars: 20_000,
      bootstrapTotalMaxChars: 60_000,
      compaction: {
        enabled: true,
        reserveTokensFloor: 20_000,
        keepRecentTokens: 20_000,
        messages: { over: 24, keep: 12 },
        memoryFlush: { enabled: true, softThresholdTokens: 4000 },
      },
      contextPruning: { mode: "cache-ttl" as const, ttl: "5m", keepLastAssistants: 3 },
      memorySearch: {
        enabled: true,
        provider: "auto",
        sources: ["memory" as const, "sessions" as const],
        local: { vectorWeight: 0.3, textWeight: 0.7, idleSeconds: 60 },
        query: { hybrid: { enabled: true, vectorWeight: 0.7, textWeight: 0.3, candidateMultiplier: 4 } },
        sync: { watch: true, watchDebounceMs: 1500 },
        cache: { enabled: true, maxEntries: 50_000 },
      },
    },
    list: [],
  },
  bindings: [],
  session: {
    dmScope: "main" as const,
    reset: { mode: "daily" as const, atHour: 4, idleMinutes: 240, carry: "automatic" as const },
    identityLinks: {},
  },
  queue: { mode: "steer" as const, cap: 20, concurrency: 16 },
  channels: {},
  tools: {
    allow: [],
    deny: [],
    visibility: [],
    result: { maxChars: 10_000, readMaxChars: 50_000 },
    exec: { sandbox: "local" as const, safeBins: [], timeoutSec: 60 },
    web: { search: { enabled: true, order: [] }, fetch: { enabled: true } },
  },
  memory: {
    layout: "flat" as const,
    inject: { main: { memoryFile: true, days: 2 }, group: { memoryFile: false, days: 0 } },
    mirrorSummary: true,
  },
  commands: { prefixes: [",", "!", "/"], shellPassthrough: false },
  logging: { level: "info" as const },
};

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

/** What holds for a channel that somebody named. */
export const defaultChannel = { enabled: true, dmPolicy: "pairing" as const, allowFrom: [] };
