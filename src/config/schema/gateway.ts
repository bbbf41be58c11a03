import { Type } from "typebox";
import {
  addressText,
  choice,
  count,
  flag,
  hosts,
  named,
  people,
  secretText,
  section,
  text,
  texts,
} from "./keys.ts";

const policies: Array<"open" | "allowlist" | "pairing" | "disabled"> = [
  "open",
  "allowlist",
  "pairing",
  "disabled",
];

/** What one channel may say differently from the layer for all channels. */
const gatewayChannelSection = section(
  "How the gateway answers on this channel; overrides gateway.default.",
  "网关在此频道上如何回答；优先于 gateway.default。",
  {
    profile: Type.Optional(text("Credential that the gateway's turns use.", "网关回合使用的凭据。")),
    withTools: Type.Optional(flag("Whether turns may use tools.", "回合是否可使用工具。")),
    toolAllow: Type.Optional(
      texts("Only these tools; empty means the policy's default.", "仅限这些工具；为空则按策略默认。"),
    ),
    toolMaxSteps: Type.Optional(
      count("Tool steps before a turn asks whether to continue.", "回合在询问是否继续之前的工具步数。", {
        minimum: 1,
      }),
    ),
    memory: Type.Optional(
      flag(
        "Whether turns switch their session's memory on, or off; unsaid, it stays as it is.",
        "回合是否打开（或关闭）其会话的记忆；不设则保持原样。",
      ),
    ),
    pairingPolicy: Type.Optional(
      choice("Who may write to the assistant directly.", "谁可以直接给助手写消息。", policies),
    ),
    pairingAllowFrom: Type.Optional(people("Who is allowed without pairing.", "哪些人无需配对即可使用。")),
    pairingPendingTtlMs: Type.Optional(
      count("How long a pairing code is valid, in milliseconds.", "配对码的有效时间，毫秒。", { minimum: 1 }),
    ),
    pairingPendingMax: Type.Optional(
      count("How many pairing requests may wait at once.", "同时等待的配对请求数。", { minimum: 1 }),
    ),
  },
);

export const gatewaySection = section(
  "The process that receives messages and answers them.",
  "接收并回答消息的进程。",
  {
    port: count(
      "Port of the page and the API; 0 uses any free port.",
      "页面和 API 的端口；0 表示任意空闲端口。",
      { maximum: 65_535, default: 18650 },
    ),
    bind: choice(
      "Where it listens; anything but loopback needs authentication.",
      "监听范围；除 loopback 外都需要身份验证。",
      ["loopback", "lan", "tailnet", "auto", "custom"],
      { default: "loopback" },
    ),
    host: Type.Optional(text('Address to listen on when bind is "custom".', "bind 为“custom”时监听的地址。")),
    trustedProxies: texts(
      "Proxies whose forwarded-for headers are trusted.",
      "哪些代理的 forwarded-for 头可信。",
      { default: [] },
    ),
    http: flag(
      "Whether the page, the API and WebSocket are served; otherwise only the socket in the home is.",
      "是否提供页面、API 和 WebSocket；否则只有主目录中的套接字。",
      { default: true },
    ),
    allowedHosts: hosts(
      "Host names that requests may use, besides this machine's own.",
      "除本机名称外，可用哪些名称访问。",
      { default: [] },
    ),
    allowedOrigins: texts(
      'Other origins whose pages may call it, as "https://host".',
      "可与其通信的其他来源页面，写作“https://host”。",
      { default: [] },
    ),
    auth: section("How callers authenticate.", "调用者如何验证身份。", {
      mode: choice(
        "What the page requires, besides one-time codes and known devices; none admits everybody on this machine.",
        "除一次性码和已知设备外，页面要求什么；none 表示本机上任何人都可进入。",
        ["token", "password", "none"],
        { default: "token" },
      ),
      token: Type.Optional(
        secretText(
          "Token of the home; generated once if it is not set.",
          "主目录令牌；未设置时自动生成一次。",
        ),
      ),
      password: Type.Optional(secretText("Password for the page.", "页面密码。")),
      sessionHours: count(
        "Hours until an unused browser must sign in again.",
        "浏览器闲置多少小时后须重新登录。",
        { minimum: 1, default: 24 * 30 },
      ),
      jwt: Type.Optional(
        section("Accepts signed tokens of an identity provider.", "接受身份提供方签发的令牌。", {
          issuer: text("Who signs the tokens (iss).", "由谁签发，即令牌中的 iss。"),
          audience: text("Whom the tokens must be for (aud).", "为谁签发，即令牌中的 aud。"),
          jwksUrl: Type.Optional(addressText("Where the keys are published.", "密钥的发布地址。")),
          jwksFile: Type.Optional(
            text("File with the keys, instead of an address.", "存放密钥的文件，代替地址。"),
          ),
          roleClaim: Type.Optional(
            text("Claim that names roles; default: roles.", "表示角色的声明；未设置时为 roles。"),
          ),
          roles: Type.Optional(
            named(
              "Maps values of that claim to roles; unlisted values have no effect.",
              "该声明的每个值对应哪个角色；未列出的值无意义。",
              choice("Role.", "角色。", ["owner", "admin", "developer", "viewer", "auditor"]),
            ),
          ),
          agentsClaim: Type.Optional(
            text("Claim that lists the agents the caller is confined to.", "列出调用者可用智能体的声明。"),
          ),
          accessDays: Type.Optional(
            count(
              "Maximum days of access that such a caller can grant to a token, a device or a browser; default: 30.",
              "此类调用者授予令牌、设备或浏览器的访问权限最多有效多少天；默认为 30。",
              { minimum: 1, maximum: 3650 },
            ),
          ),
          denied: Type.Optional(
            texts(
              "Subjects (sub) who are denied, with all access that they have granted.",
              "被拒绝的主体（sub），由其授予的访问权限一并失效。",
            ),
          ),
        }),
      ),
    }),
    limits: section(
      "Rate limits; requests beyond them are refused until later.",
      "速率限制；超出部分暂时拒绝。",
      {
        perAddress: count(
          "Requests per minute from one address that has not signed in.",
          "未登录的单个地址每分钟的请求数。",
          { minimum: 1, default: 300 },
        ),
        perUser: count("Requests per minute of one caller.", "单个调用者每分钟的请求数。", {
          minimum: 1,
          default: 600,
        }),
        perChannel: count(
          "Incoming messages per minute of one account of a channel.",
          "单个频道账号每分钟接收的消息数。",
          { minimum: 1, default: 3000 },
        ),
        perTenant: count("Requests and messages per minute in total.", "每分钟请求和消息的总数。", {
          minimum: 1,
          default: 30_000,
        }),
        signInTries: count(
          "Wrong tokens, passwords and codes per minute from one address; ten times as many in total.",
          "单个地址每分钟可输错的令牌、密码和代码数；全部地址合计为其十倍。",
          { minimum: 1, default: 10 },
        ),
        connections: count("Concurrent connections.", "同时连接数。", { minimum: 1, default: 600 }),
        connectionsPerAddress: count(
          "Concurrent connections from one address without a sign-in; this machine and trusted proxies do not count.",
          "单个地址未登录的同时连接数；本机和受信代理不计。",
          { minimum: 1, default: 60 },
        ),
        bodyBytes: count("Largest body of a request.", "请求体的最大字节数。", {
          minimum: 1024,
          default: 20 * 1024 * 1024,
        }),
        frameBytes: count("Largest frame over WebSocket.", "WebSocket 帧的最大字节数。", {
          minimum: 1024,
          default: 4 * 1024 * 1024,
        }),
      },
    ),
    deafSeconds: count(
      "Seconds without a sign from its network after which a channel counts as deaf.",
      "频道在多少秒内没有收到网络的任何迹象即视为失聪。",
      { minimum: 5, default: 60 },
    ),
    openMetrics: flag(
      "Whether everybody who can reach the gateway may read /metrics.",
      "/metrics 是否对所有能访问者公开。",
      { default: false },
    ),
    discovery: section("How others on the network find it.", "网络上的其他设备如何找到它。", {
      bonjour: flag("Whether it announces itself on the local network.", "是否在本地网络上通告自己。", {
        default: false,
      }),
    }),
    tailscale: choice(
      "Whether Tailscale serves it: to the owner's own devices (serve) or to everybody (funnel).",
      "是否通过 Tailscale 提供：给所有者自己的设备（serve）或给所有人（funnel）。",
      ["off", "serve", "funnel"],
      { default: "off" },
    ),
    default: section("Settings for all channels.", "对所有频道有效的设置。", {
      provider: Type.Optional(
        text(
          "Model provider of the gateway's turns; not allowed per channel.",
          "网关回合使用的模型提供方；不可按频道设置。",
        ),
      ),
      ...gatewayChannelSection.properties,
      withTools: flag("Whether turns may use tools.", "回合是否可使用工具。", { default: true }),
      pairingPolicy: choice(
        "Who may write to the assistant directly.",
        "谁可以直接给助手写消息。",
        policies,
        { default: "pairing" },
      ),
      pairingAllowFrom: people("Who is allowed without pairing.", "哪些人无需配对即可使用。", {
        default: [],
      }),
      pairingPendingTtlMs: count(
        "How long a pairing code is valid, in milliseconds.",
        "配对码的有效时间，毫秒。",
        { minimum: 1, default: 3_600_000 },
      ),
      pairingPendingMax: count("How many pairing requests may wait at once.", "同时等待的配对请求数。", {
        minimum: 1,
        default: 3,
      }),
    }),
    channels: named(
      "Overrides for single channels, by name.",
      "各频道的不同之处，按频道名称。",
      gatewayChannelSection,
      {
        default: {},
      },
    ),
  },
);
