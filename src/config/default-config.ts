/**
 * What holds where nobody said anything. Made from the schema by `npm run reference`; a default is changed there. It is a file of its own
 * so that a start without a config file needs nothing but this object: no parser, no schema.
 */
import type { Config } from "./schema.ts";

export const defaultConfig: Config = {
  configVersion: 1,
  edition: "personal",
  owners: [],
  notify: {},
  language: "auto",
  gateway: {
    port: 18650,
    bind: "loopback",
    trustedProxies: [],
    http: true,
    allowedHosts: [],
    allowedOrigins: [],
    auth: {
      mode: "token",
      sessionHours: 720,
    },
    limits: {
      perAddress: 300,
      perUser: 600,
      perChannel: 3000,
      perTenant: 30000,
      signInTries: 10,
      connections: 600,
      connectionsPerAddress: 60,
      bodyBytes: 20971520,
      frameBytes: 4194304,
    },
    deafSeconds: 60,
    openMetrics: false,
    discovery: {
      bonjour: false,
    },
    tailscale: "off",
    default: {
      withTools: true,
      pairingPolicy: "pairing",
      pairingAllowFrom: [],
      pairingPendingTtlMs: 3600000,
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
    idleTimeoutMs: 120000,
    totalTimeoutMs: 600000,
    maxArgumentsBytes: 2000000,
    cacheRetention: "short",
  },
  auth: {
    order: {},
    profiles: {},
    cooldowns: {
      baseMs: 300000,
      factor: 5,
      maxMs: 3600000,
      billingBaseMs: 1800000,
      billingFactor: 2,
      billingMaxMs: 86400000,
    },
  },
  budgets: {
    turn: {
      calls: 200,
    },
    session: {},
    agent: {},
    day: {},
    month: {},
  },
  agents: {
    defaults: {
      model: {
        fallbacks: [],
      },
      workspace: "~/.pincer/workspace",
      toolMaxSteps: 50,
      maxRepeatedCalls: 3,
      maxAnswerCharacters: 200000,
      maxAnswerMessages: 8,
      thinkingDefault: "off",
      reasoningDefault: "off",
      blockStreamingBreak: "text_end",
      maxContextMessages: 50,
      restrictToWorkspace: true,
      bootstrapMaxChars: 20000,
      bootstrapTotalMaxChars: 60000,
      context: {
        strategy: "full",
        includeSkills: [],
        excludeSkills: [],
        includeTools: [],
        excludeTools: [],
        includeMemory: true,
        includeRuntime: true,
      },
      compaction: {
        enabled: true,
        keepRecentTokens: 20000,
        messages: {
          over: 24,
          keep: 12,
        },
        reserveTokensFloor: 20000,
        memoryFlush: {
          enabled: true,
          softThresholdTokens: 4000,
        },
      },
      contextPruning: {
        mode: "cache-ttl",
        ttl: "5m",
        keepLastAssistants: 3,
      },
      memorySearch: {
        enabled: true,
        sources: ["memory", "sessions"],
        provider: "auto",
        local: {
          vectorWeight: 0.3,
          textWeight: 0.7,
          idleSeconds: 60,
        },
        query: {
          hybrid: {
            enabled: true,
            vectorWeight: 0.7,
            textWeight: 0.3,
            candidateMultiplier: 4,
          },
        },
        sync: {
          watch: true,
          watchDebounceMs: 1500,
        },
        cache: {
          enabled: true,
          maxEntries: 50000,
        },
      },
    },
    list: [],
  },
  bindings: [],
  contacts: {},
  approvals: {
    waitSeconds: 120,
    keepHours: 24,
  },
  policy: {
    planner: {
      mode: "auto",
      timeoutMs: 20000,
    },
  },
  session: {
    dmScope: "main",
    reset: {
      mode: "daily",
      atHour: 4,
      idleMinutes: 240,
      carry: "automatic",
    },
    identityLinks: {},
  },
  queue: {
    mode: "steer",
    cap: 20,
    concurrency: 16,
  },
  channels: {},
  tools: {
    allow: [],
    deny: [],
    modes: {},
    sessions: {},
    sensitive: {
      sessions: [],
      deny: ["group:web", "group:browser"],
    },
    limits: {
      messagesPerMinute: 10,
      deletedFiles: 50,
      turnMinutes: 30,
    },
    visibility: [],
    result: {
      maxChars: 10000,
      readMaxChars: 50000,
    },
    exec: {
      sandbox: "local",
      safeBins: [],
      timeoutSec: 60,
      maxProcesses: 16,
      readable: [],
      environment: [],
      network: {
        allow: [],
      },
      container: {
        engine: "auto",
        image: "docker.io/library/debian:12-slim",
        memoryMb: 1024,
        pids: 256,
      },
      microvm: {
        runtime: "auto",
      },
    },
    network: {
      allow: [],
      deny: [],
      allowPrivate: [],
      maxBytes: 10000000,
      timeoutSec: 60,
    },
    web: {
      search: {
        enabled: true,
        order: [],
        maxResults: 5,
        providers: {
          duckduckgo: {
            enabled: true,
          },
        },
      },
      fetch: {
        enabled: true,
        maxChars: 50000,
      },
      trusted: [
        "developer.mozilla.org",
        "docs.python.org",
        "nodejs.org",
        "www.typescriptlang.org",
        "doc.rust-lang.org",
        "go.dev",
        "docs.oracle.com",
        "learn.microsoft.com",
        "www.php.net",
        "en.cppreference.com",
        "docs.ruby-lang.org",
        "www.postgresql.org",
        "www.sqlite.org",
        "docs.docker.com",
        "kubernetes.io",
        "git-scm.com",
        "docs.github.com",
        "man7.org",
        "www.rfc-editor.org",
      ],
    },
    undo: {
      enabled: true,
      exclude: ["node_modules", ".venv", "venv", "__pycache__", "target", ".cache"],
      keepDays: 14,
      maxFileBytes: 20000000,
      maxBytes: 1000000000,
    },
  },
  memory: {
    layout: "flat",
    inject: {
      main: {
        memoryFile: true,
        days: 2,
      },
      group: {
        memoryFile: false,
        days: 0,
      },
    },
    mirrorSummary: true,
  },
  media: {
    maxFileBytes: 52428800,
    maxBytes: 2147483648,
    keepDays: 90,
  },
  commands: {
    prefixes: [",", "!", "/"],
    shellPassthrough: false,
    assistantOutput: false,
  },
  logging: {
    level: "info",
    maxBytes: 10485760,
    keepFiles: 5,
  },
  telemetry: {
    enabled: false,
  },
  audit: {
    keepDays: 365,
  },
  hooks: {},
  plugins: {
    load: [],
  },
  profiles: {},
};

/** What holds for a channel that somebody named. */
export const defaultChannel: Config["channels"][string] = {
  enabled: true,
  dmPolicy: "pairing",
  allowFrom: [],
};
