/** Configs as people write them. */

export const everydayConfig = `// my config
{
  edition: "personal",
  owners: ["telegram:42"], notify: { to: "telegram:42" },
  gateway: { port: 18650, bind: "loopback", auth: { mode: "token", token: "secret:gateway-token" } },
  models: { providers: {
    mock: { baseUrl: "http://127.0.0.1:9999/v1", apiKey: "\${MOCK_KEY}", api: "openai-completions", /* local */
            models: [{ id: "mock-1", contextWindow: 200000, maxTokens: 4096, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }] } } },
  auth: { order: { anthropic: ["anthropic-main", "anthropic-spare"] } },
  agents: {
    defaults: {
      model: { primary: "mock/mock-1", fallbacks: [] }, workspace: "~/.pincer/workspace", toolMaxSteps: 50,
      compaction: { reserveTokensFloor: 20000, memoryFlush: { enabled: true, softThresholdTokens: 4000 } },
      contextPruning: { mode: "cache-ttl", ttl: "5m" },
      memorySearch: { enabled: true, provider: "auto", query: { hybrid: { candidateMultiplier: 4 } }, cache: { enabled: true, maxEntries: 50000 } } },
    list: [{ id: "helper" }] },
  bindings: [{ match: { channel: "telegram", peer: { kind: "user", id: "42" } }, agentId: "helper" }],
  session: { dmScope: "main", reset: { mode: "daily", atHour: 4, idleMinutes: 240 }, identityLinks: { alice: ["telegram:42", "feishu:ou_1"] } },
  queue: { mode: "steer" },
  channels: { telegram: { enabled: true, botToken: "secret:telegram", apiRoot: "http://127.0.0.1:9998", dmPolicy: "pairing", allowFrom: [], streaming: "edit" } },
  tools: { profile: "coding", allow: [], deny: [], exec: { sandbox: "local", safeBins: [] } },
}
`;

export const sampleWithMemory = `{
  session: {
    dmScope: "per-channel-peer",
    reset: { mode: "daily", atHour: 4, idleMinutes: 240 }
  },
  agents: {
    defaults: {
      compaction: {
        reserveTokensFloor: 20000,
        memoryFlush: {
          enabled: true,
          softThresholdTokens: 4000,
          prompt: "Write durable notes to memory/YYYY-MM-DD.md and return NO_REPLY."
        }
      },
      contextPruning: {
        mode: "cache-ttl",
        ttl: "5m"
      },
      memorySearch: {
        enabled: true,
        provider: "openai",
        model: "text-embedding-3-small",
        query: {
          hybrid: {
            enabled: true,
            vectorWeight: 0.7,
            textWeight: 0.3,
            candidateMultiplier: 4
          }
        },
        cache: { enabled: true, maxEntries: 50000 }
      }
    }
  }
}
`;

export const olderConfig = `{
  // brought along
  model: "mock/mock-1",
  agent: {
    // how many steps
    toolMaxSteps: 7,
    compaction: { /* floor */ reserveTokensFloor: 1000 },
  },
  agents: { defaults: { restrict_to_workspace: false } },
  routing: { bindings: [{ match: { channel: "telegram" }, agentId: "helper" }] },
  identity_links: { alice: ["telegram:42"] },
}
`;
