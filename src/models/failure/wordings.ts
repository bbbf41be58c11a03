/**
 * The table: how providers word what they mean. The first row that fits counts, so the telling ones come before the general ones.
 * Names are codes and types; sentences are for people. No pattern may take more than one pass: where it waits for a word, it says how long.
 */
import type { ModelErrorCode } from "@pincer/sdk";
import * as names from "./failure-names.ts";

export interface Wording {
  code: ModelErrorCode;
  names?: RegExp;
  sentences?: RegExp;
  /** Only with one of these; undefined stands for an unknown one: a refusal in mid-stream, or one that only the library told of. */
  statuses?: ReadonlyArray<number | undefined>;
  /** Words that also stand in a complaint about the request, which often repeats what was asked. */
  isLoose?: true;
}

/** Names by which a provider says that the request itself is wrong. */
export const blamesTheRequest = names.invalidRequest;

const any = (...patterns: RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "i");

const troubles = [408, 409, 499, 500, 502, 503, 504, 520, 522, 524, 529];

export const wordings: readonly Wording[] = [
  { code: "billing", sentences: /prepayment credits are depleted/i },
  // Google and DashScope say "check your plan and billing" of every limit; the others mean it.
  { code: "rate_limit", names: /^RESOURCE_EXHAUSTED$/i, sentences: /error-code#token-limit/ },
  {
    code: "billing",
    names: names.billing,
    sentences: any(
      /insufficient (?:account |user )?(?:balance|credits?|funds|quota)|insufficient .{1,30} balance/,
      /balance (?:is )?(?:insufficient|not enough|too low|exhausted)|quota is not enough/,
      /exceeded (?:your |the )?current quota|monthly included credits/,
      /billing (?:hard limit|limit reached|is not active|not active)|payment required|payment method/,
      /(?:out of|no|not enough|requires more|used all available|depleted your[\w ]{0,40}|have any) credits/,
      /(?:spend|spending|credit|budget) (?:limit|cap)(?: has been| was)? (?:reached|exceeded)|reached .{0,30}spending limit/,
      /budget has been exceeded|key limit exceeded|reached your specified .{0,10}usage limits|set inference limit/,
      /not active,.{0,80}billing|suspended.{0,120}(?:billing|balance|spending limit|invoices)/,
      /free tier (?:of the model )?has been exhausted|free allocated quota exceeded/,
      /account.{1,40}(?:overdue|arrears)|in good standing|has not purchased|package has expired/,
      /余额不足|余额已用|欠费|额度不足|额度失败|额度已用尽|余量已用尽|无可用资源包|请充值|套餐已到期/,
    ),
  },
  {
    code: "context_overflow",
    names: names.contextOverflow,
    sentences: any(
      /context (?:length|window) (?:is )?exceeded|prompt (?:is )?too long|prompt exceeds max(?:imum)? length/,
      /request exceeds the maximum size|input is too long for requested model/,
      /request too large for .{0,150}requested \d/,
      /exceeds? (?:the |this |your )?(?:model'?s? |available |maximum ){0,3}(?:allowed )?(?:input |context )(?:length|window|size|limit)/,
      /exceeds? the model'?s maximum context|maximum (?:context|prompt) length (?:is|of)/,
      /input token count.{0,30}exceeds|token length exceed|prompt token count of [\d,]{1,20} exceeds/,
      /exceed(?:s|ed)? (?:the )?(?:model )?(?:token |context )limit/,
      /input length and .max_tokens. exceed context limit|range of input length should be/,
      /reduce the length of (?:the |your )?(?:messages|prompt|input)|reduce your message size/,
      /greater than the context length|(?:longer|larger) than the model'?s context/,
      /too large for model with \d{1,12} maximum context|prompt has [\d,]{1,20} tokens?, but/,
      /context window exceeds limit|context size (?:has been )?exceeded|exceeded (?:max )?context length/,
      /length of prompt_tokens .{0,20}must be less than|inputs. (?:tokens \+|must have less than)/,
      /too many input tokens|token limit exceeded|total tokens of .{0,40}exceed/,
      /超长|上下文长度超|超过.{0,12}(?:上下文|最大长度|最大输入)/,
    ),
  },
  // Before anything that could look like a question of rights: a history that the provider cannot read is nobody's key.
  {
    code: "invalid_request",
    sentences: any(
      /tool_use.{0,20}ids? (?:were|was) found without/,
      /unexpected .?tool_use_id|tool_result.{0,60}(?:corresponding|preceding)|each .tool_use. block must/,
      /role '?"?tool'?"? must be a response|tool_call_id {1,3}is not found|tool id\(.{0,60}\) not found/,
      /tool_calls?.{0,40}must be followed by tool messages/,
      /no tool (?:call|output) found for function call/,
      /function (?:call|response) turn|number of function response parts|thought_signature/,
      /roles? must alternate|alternate between/,
      /(?:expected|unexpected) (?:last )?role|not the same number of function calls and responses/,
      /invalid .?signature.? in .?thinking|thinking.{0,40}cannot be modified|expected .?thinking/,
      /reasoning.{0,60}without its required following item|encrypted content .{0,400}could not be verified/,
    ),
  },
  {
    code: "refused",
    names: names.refused,
    sentences: any(
      /content management policy|rejected as a result of our safety system|content exists risk|considered high risk/,
      /inappropriate content|prompt was flagged|input was flagged|requires moderation/,
      /(?:in|out)put new_sensitive|may contain sensitive information|sensitive content that violates/,
      /(?:stopped with|finish_?reason|blockReason)\W{1,5}(?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION|IMAGE_SAFETY|sensitive|content_filter)/,
      /model refused to|location is not supported|region, or territory not supported|not available in your (?:country|region)/,
      /敏感内容|敏感词|敏感信息|安全审核|不安全或敏感/,
    ),
  },
  {
    code: "not_found",
    names: names.notFound,
    sentences: any(
      /\bmodels?(?:\/\S{1,150}|:)?(?:\s\S{1,150}){0,3}?\s(?:was |is |has been )?(?:not found|does not exist|not exist|isn't available|decommissioned|deprecated|no longer (?:available|supported))/,
      /\bmodels?(?:\s\S{1,150})? is not (?:supported|available|a valid)(?! (?:in|with|for) (?:streaming|this param))/,
      /(?:no such|unknown|invalid) model\b|not a valid model|not found the model|model access denied/,
      /access to (?:the |this )?model|has not activated the model|verified to (?:stream|use) this model/,
      /on-demand throughput isn.t supported|does not support (?:tools|tool use|function calling)|no endpoints found|no available channel for|try pulling it first|no models? loaded|deployment .{0,60}does not exist/,
      /模型不存在|无可用渠道|模型.{0,20}(?:已下线|未开通|无权)|暂未开放.{0,30}权限/,
    ),
  },
  {
    code: "auth",
    names: names.auth,
    sentences: any(
      /invalid (?:x-)?(?:api[_ -]?)?key|incorrect api key|api[_ -]?key (?:is )?(?:not valid|invalid|expired|not found)|api key was reported/,
      /api key:? .{0,80}is invalid|key or AK\/SK in the request is missing or invalid|api secret key/,
      /authentication (?:fails?|failed)|invalid authentication|invalid subscription key|invalid signature parameter in request header/,
      /security token included in the request is (?:invalid|expired)/,
      /no (?:auth|api key|cookie auth) (?:credentials )?(?:found|provided|for provider)|missing (?:api key|authentication|bearer)/,
      /credential is only authorized for|organization has been (?:disabled|restricted)/,
      /无效的(?:令牌|API)|身份验证失败|令牌已过期|token ?(?:非法|已过期)|账(?:户|号)已被锁定/,
    ),
    statuses: [undefined, 400, 401, 403, 404, 429],
  },
  {
    code: "overloaded",
    names: names.overloaded,
    sentences: any(
      /(?:is|are|model|engine|service|server) (?:currently |temporarily )?overloaded|^overloaded$|capacity exceeded/,
      /model is not ready|访问量过大|负载已饱和|负载过高|系统繁忙|服务器繁忙/,
    ),
    statuses: [undefined, 429, ...troubles],
  },
  {
    code: "rate_limit",
    names: names.rateLimit,
    sentences: any(
      /rate limit (?:is |was |has been )?(?:reached|exceeded|hit)|exceeded .{0,40}rate limit|rate-limited/,
      /too many requests|usage limit (?:has been )?(?:reached|exceeded)|hit your usage limit/,
      /(?:qps|daily|total|api) request limit reached|requests? reached .{0,40}(?:concurrency|max|rpm|tpm)/,
      /error code: 1015|too many tokens, please wait/,
      /请求过于频繁|请求过多|速率限制|频率过高|并发数过高|流量限制|使用上限|调用次数限额/,
    ),
  },
  { code: "timeout", names: names.timeout },
  // The model called a tool in a way that nobody can read: another answer may do better.
  { code: "empty", names: /^tool_use_failed$/, sentences: /MALFORMED_FUNCTION_CALL/ },

  {
    code: "rate_limit",
    isLoose: true,
    sentences: any(
      /rate[_ -]?limit/,
      /usage[_ ]limit|quota exceeded|concurrency (?:limit|is too high)/,
      /(?:requests|tokens) per (?:minute|min|day|hour)|throttl(?:ing|ed)/,
    ),
    statuses: [undefined, 400, 403, 429, ...troubles],
  },
  {
    code: "refused",
    isLoose: true,
    sentences: any(
      /content[_ ](?:filter|policy|policies)|safety system|usage polic(?:y|ies)/,
      /(?:flagged|blocked).{0,40}moderation|was flagged|flagged for|\brefusal\b/,
    ),
    statuses: [undefined, 400, 403, 500],
  },
  {
    code: "auth",
    isLoose: true,
    sentences: /(?:oauth|access|api) token .{0,20}(?:expired|revoked|invalid)/i,
    statuses: [undefined, 400, 401, 403, 404],
  },
  {
    code: "auth",
    isLoose: true,
    sentences: any(
      /unauthori[sz]ed|unauthenticated|authentication (?:error|required)|permission denied|access denied/,
      /(?:token|credential|session|oauth)s?\b.{0,40}\b(?:expired|revoked|invalid)/,
      /user not found/,
    ),
    statuses: [400, 401, 403, 404],
  },
  {
    code: "overloaded",
    isLoose: true,
    sentences: any(
      /overloaded|(?:over|at|no) ?capacity|high demand|(?:server (?:is )?|too )busy|model is (?:currently )?loading/,
    ),
    statuses: [undefined, 429, ...troubles],
  },
  {
    code: "truncated",
    isLoose: true,
    sentences: any(
      /stream ended (?:without|before)|without (?:a )?(?:terminal|finish|last|stop)[ _](?:event|reason)/,
      /incomplete json|unexpected end of json|unterminated string in json|could not parse .{0,40}event|is not valid json/,
      /invalid mistral streaming event|finish_reason: (?:network_error|error)|no (?:response )?body/,
    ),
    statuses: [undefined],
  },
  {
    code: "timeout",
    isLoose: true,
    sentences: /\btime(?:d)?[ _-]?out\b|deadline (?:exceeded|expired)/i,
    statuses: [undefined, ...troubles],
  },
  {
    code: "unavailable",
    isLoose: true,
    names: names.unavailable,
    sentences: any(
      /the server had an error|internal (?:server )?error|model stream error|provider returned error/,
      /service (?:is )?(?:temporarily )?unavailable|bad gateway|upstream (?:error|connect)/,
    ),
    statuses: [undefined],
  },
  {
    code: "invalid_request",
    names: names.invalidRequest,
    sentences: /^validation error:/i,
    statuses: [undefined],
  },
];
