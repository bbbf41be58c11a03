/** The codes and types that providers give their refusals, whole. Numbers come with the key they stand under. */
const oneOf = (names: string): RegExp => new RegExp(`^(?:${names.trim().split(/\s+/).join("|")})$`, "i");

export const billing = oneOf(String.raw`
  insufficient_(?:user_)?quota insufficient_(?:account_)?balance(?:_error)? insufficient_(?:funds|credits?)
  exceeded_current_quota(?:_error)? billing_(?:hard_limit_reached|not_active|error|limit_reached) payment_required
  credit_limit(?:_exceeded)? budget_exceeded blocked_api_access deactivated_for_billing pre_consume_token_quota_failed
  Arrearage AccountOverdue(?:Error)? (?:Prepaid|Postpaid)BillOverdue CommodityNotPurchased AllocationQuota\.FreeTierOnly
  SetLimitExceeded FailedOperation\.(?:ResourcePackExhausted|ServiceStop\w{0,20}) status_code=1008 code=30001
`);

export const contextOverflow = oneOf(String.raw`
  context_(?:length|window)_exceeded context_length_exceeded_error model_context_window_exceeded ContextWindowExceededError
  request_too_large exceed_context_size_error model_max_prompt_tokens_exceeded prompt_too_long
`);

export const refused = oneOf(String.raw`
  content_filter(?:ed)? content_policy_violation ResponsibleAIPolicyViolation data_?inspection_?failed invalid_prompt
  unsupported_country_region_territory moderation_blocked censorship_blocked sensitive_words_detected
  (?:Input|Output)?\w{0,20}SensitiveContentDetected\S{0,40} (?:Input|Output)\w{1,20}RiskDetection status_code=102[67]
`);

export const notFound = oneOf(String.raw`
  model_?not_?(?:found|exist|available|supported|open) model_decommissioned invalid_model(?:_error)? not_found_error
  resource_not_found_error DeploymentNotFound Model\.AccessDenied InvalidEndpoint(?:OrModel)?\.\w{1,40} model_terms_required
  code=(?:20012|30003)
`);

export const auth = oneOf(String.raw`
  authentication_?(?:error|failed) invalid_authentication(?:_error)? (?:incorrect|invalid|expired)_api_key(?:_error)? InvalidApiKey
  API_KEY_\w{1,30} api_key_empty expired_key permission_(?:error|denied)(?:_error)? PermissionDenied unauthenticated unauthori[sz]ed
  authorized_error account_deactivated organization_(?:restricted|disabled) token_(?:expired|revoked|invalidated)
  invalid_(?:grant|token|iam_token) ip_not_authorized UnrecognizedClientException ExpiredTokenException AccessDenied(?:Exception)?
  AuthFailure\S{0,40} status_code=(?:1004|2049)
`);

export const rateLimit = oneOf(String.raw`
  (?:[rt]pm_)?rate_limit(?:ed|_exceeded|_error|_reached_error)? usage_limit_(?:reached|exceeded) too_?many_?requests(?:_error)?
  Throttling(?:\.\w{1,40}|Exception)? \w{0,40}RateLimitExceeded RequestBurstTooFast RequestLimitExceeded\S{0,40} QuotaExceeded
  limit_?(?:requests|burst_rate) status_code=(?:1002|1039|1041|2045|2056)
`);

export const overloaded = oneOf(String.raw`
  (?:engine_|server_|server_is_)?overloaded(?:_error)? ServerOverloaded (?:service_tier_)?capacity_exceeded slow_down
  resource_unavailable code=50505
`);

export const timeout = oneOf(String.raw`
  RequestTimeOut InternalError\.Timeout DEADLINE_EXCEEDED timeout(?:_error)? request_timeout status_code=1001
`);

/** Said of nearly everything that goes wrong on their side. */
export const unavailable = oneOf(String.raw`
  (?:internal_)?server_error api_error internal(?:_error)? (?:service_)?unavailable(?:_error)? InternalError\S{0,60}
  InternalServ(?:er|ice)(?:Error)? ServiceUnavailable(?:Exception|Error)? status_code=(?:1000|1013|1024|1033)
`);

/** Said of nearly everything that goes wrong on ours. */
export const invalidRequest = oneOf(String.raw`
  invalid_request(?:_error|_message_order|_prompt)? bad_?request(?:_?error)? INVALID_ARGUMENT invalid_parameter(?:_error)?
  (?:Invalid|Missing)Parameter\S{0,60} validation(?:_error|Exception) unsupported_(?:value|parameter) status_code=2013
  invalid_(?:value|type|function_parameters|function_call|base64|encrypted_content) (?:string|array)_above_max_length
`);
