/** The table: how providers word what they mean. The first that fits counts, so the telling ones come before the general ones. */
import type { ModelErrorCode } from "@pincer/sdk";

export interface Wording {
  code: ModelErrorCode;
  pattern: RegExp;
  /** Only with one of these. */
  statuses?: readonly number[];
}

const any = (...patterns: RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "i");

export const wordings: readonly Wording[] = [
  // Google says "check your plan and billing" of every limit; the others mean it.
  { code: "rate_limit", pattern: /RESOURCE_EXHAUSTED/ },
  {
    code: "billing",
    pattern: any(
      /insufficient[_ ]quota/,
      /insufficient[_ ](?:account )?(?:balance|credits?|funds)/,
      /credit balance is too low/,
      /exceeded your current quota/,
      /billing[_ ](?:hard[_ ]limit|not[_ ]active|error|limit)/,
      /(?:payment|billing)[_ ]required/,
      /(?:out of|no|not enough|requires more|used all available|depleted your[\w ]*) credits/,
      /account is not active, please check your billing/,
      /FreeTierOnly|free tier (?:of the model )?has been exhausted/,
      /account(?:_|.{1,40}(?:is|in) )(?:overdue|arrears|deactivated_for_billing)/,
      /余额不足|欠费/,
    ),
  },
  {
    code: "rate_limit",
    pattern: any(
      /rate[_ -]?limit/,
      /too many requests/,
      /usage[_ ]limit[_ ]?(?:reached|exceeded)?/,
      /requests per (?:minute|day|hour)|tokens per (?:minute|day)/,
      /throttling(?:exception| error)?/,
      /concurrency (?:limit|is too high)|quota exceeded/,
      /请求过于频繁|速率限制/,
    ),
  },
  {
    code: "context_overflow",
    pattern: any(
      /context[_ ](?:length|window)[_ ]exceeded/,
      /prompt (?:is )?too long/,
      /request_too_large|request exceeds the maximum size/,
      /input is too long for requested model/,
      /exceeds? (?:the |this |your )?(?:model'?s? |available |maximum )*(?:allowed )?(?:input |context )(?:length|window|size|limit)/,
      /maximum (?:context|prompt) length is/,
      /input token count.{0,30}exceeds/,
      /exceed(?:s|ed)? (?:the )?(?:model )?(?:token |context )limit/,
      /input length and .max_tokens. exceed context limit/,
      /reduce the length of the (?:messages|prompt|input)/,
      /greater than the context length/,
      /(?:longer|larger) than the model'?s context/,
      /too large for model with \d+ maximum context/,
      /context window exceeds limit|context size (?:has been )?exceeded|exceed_context_size_error/,
      /prompt token count of [\d,]+ exceeds/,
      /prompt has [\d,]+ tokens?, but/,
      /range of input length should be/,
      /exceeded (?:max )?context length|too many (?:input )?tokens|token limit exceeded/,
    ),
  },
  // Before anything that could look like a question of rights: a history that the provider cannot read is nobody's key.
  {
    code: "invalid_request",
    pattern: any(
      /tool_use.{0,20}ids? (?:were|was) found without/,
      /unexpected .?tool_use_id|tool_result.{0,60}(?:corresponding|preceding)|each .tool_use. block must/,
      /role '?"?tool'?"? must be a response/,
      /tool_calls?.{0,40}must be followed by tool messages/,
      /No tool (?:call|output) found for function call/,
      /function (?:call|response) turn|number of function response parts/,
      /roles? must alternate|alternate between/,
      /(?:expected|unexpected) (?:last )?role|not the same number of function calls and responses/i,
      /invalid .?signature.? in .?thinking|thinking.{0,40}cannot be modified/,
      /reasoning.{0,60}without its required following item/,
    ),
  },
  {
    code: "refused",
    pattern: any(
      /content[_ ](?:filter|policy|management)|ResponsibleAIPolicy/,
      /content_policy_violation|safety system|usage polic(?:y|ies)/,
      /data_inspection_failed|inappropriate content/,
      /(?:requires|flagged).{0,40}moderation|was flagged|flagged for/,
      /(?:stopped with|finish_?reason|blockReason)\W+(?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION|IMAGE_SAFETY|sensitive|content_filter)/,
      /model refused|refusal/,
      /unsupported_country_region_territory|location is not supported/,
      /敏感内容|安全审核/,
    ),
  },
  {
    code: "not_found",
    pattern: any(
      /model_?_?not_?_?(?:found|exist|available)/,
      /model .{0,120}(?:not found|does not exist|is not found|isn't available|not supported|decommissioned|is deprecated)/,
      /(?:no such|unknown|invalid) model\b|not a valid model|does not have access to (?:the )?model|no endpoints found/,
      /try pulling it first|no models? loaded/,
      /DeploymentNotFound/,
    ),
  },
  {
    code: "auth",
    pattern: any(
      /invalid[_ ]?(?:x-)?(?:api[_ -]?)?key|incorrect api key|api[_ -]?key[_ ](?:is )?(?:not valid|invalid|expired|not found)/,
      /API_KEY_INVALID|API key (?:not valid|expired)/,
      /authentication[_ ](?:error|fails?|failed|required)|unauthori[sz]ed|unauthenticated|invalid authentication/,
      /permission[_ ](?:error|denied)|PERMISSION_DENIED|access denied/,
      /(?:token|credential|session|oauth)s?.{0,40}(?:expired|revoked|invalid)|invalid[_ ]grant|account_deactivated/,
      /No (?:auth|API key|cookie auth) (?:credentials )?(?:found|provided|for provider)|missing (?:api key|authentication|bearer)/,
      /user not found|无效的(?:令牌|API)/,
      /credential is only authorized for/,
      /UnrecognizedClientException|security token included in the request is invalid/,
    ),
    statuses: [400, 401, 403, 404],
  },
  {
    code: "overloaded",
    pattern: any(
      /overloaded|is over(?:loaded|capacity)|at capacity|over capacity|capacity_exceeded|no capacity/,
      /high demand|server (?:is )?busy|too busy|service tier capacity/,
      /model is (?:currently )?loading/,
    ),
  },
  {
    code: "truncated",
    pattern: any(
      /stream ended (?:without|before)/,
      /without (?:a )?(?:terminal|finish|last|stop)[ _](?:event|reason)/,
      /incomplete json|unexpected end of json|unterminated string in json|could not parse .{0,40}event|is not valid json/,
      /invalid mistral streaming event|finish_reason: (?:network_error|error)/,
      /response has no body/,
    ),
  },
  { code: "timeout", pattern: /\btime(?:d)?[ _-]?out\b|DEADLINE_EXCEEDED|deadline exceeded/i },
  {
    code: "unavailable",
    pattern: any(
      /server_error|internal[_ ]server[_ ]error|api_error|INTERNAL\b|UNAVAILABLE/,
      /service (?:is )?(?:temporarily )?unavailable|bad gateway|upstream (?:error|connect)|provider returned error/,
      /currently experiencing|temporarily/,
    ),
    statuses: [500, 502, 503, 504, 520, 521, 522, 523, 525, 526, 530],
  },
];

/** What counts besides when no status is known: a refusal in mid-stream, or one that only the library told of. */
export const wordingsWithoutStatus: readonly Wording[] = [
  {
    code: "auth",
    pattern:
      /No API key for provider|authentication_error|invalid_api_key|API_KEY_INVALID|PERMISSION_DENIED|UNAUTHENTICATED/,
  },
  { code: "unavailable", pattern: /server_error|api_error|"INTERNAL"|"UNAVAILABLE"/ },
  { code: "invalid_request", pattern: /invalid_request_error|INVALID_ARGUMENT/ },
];

/** What a status means when the words say nothing. */
export const statusCodes: Readonly<Record<number, ModelErrorCode>> = {
  400: "invalid_request",
  401: "auth",
  402: "billing",
  403: "auth",
  404: "not_found",
  405: "invalid_request",
  408: "timeout",
  409: "unavailable",
  413: "context_overflow",
  422: "invalid_request",
  425: "unavailable",
  429: "rate_limit",
  451: "refused",
  503: "unavailable",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};
