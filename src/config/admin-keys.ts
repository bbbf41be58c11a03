/**
 * The keys that an admin may set. Every other key is the owner's, those of later versions too: the gate, what is shown
 * to models as trusted, what runs here, where secrets go and who counts as whom depend on them. `*` is a name or a place
 * in a list; below `profiles.*` the same holds. A key that bends the gate in any way stays out.
 */
export const adminKeys: ReadonlySet<string> = new Set([
  "language",
  // How much is used, and how busy it may be.
  ...["turn", "session", "agent", "day", "month"].flatMap((period) =>
    under(`budgets.${period}`, ["calls", "tokens", "cost"]),
  ),
  "budgets.turn.wallTimeMs",
  ...under("queue", ["mode", "debounceMs", "cap", "concurrency"]),
  ...under("session.reset", ["mode", "atHour", "idleMinutes", "carry"]),
  ...under("media", ["maxFileBytes", "maxBytes", "keepDays"]),
  ...under("logging", ["level", "maxBytes", "keepFiles"]),
  // How the gateway works, but not who may call it, nor what its turns may do.
  ...under("gateway", ["port", "deafSeconds"]),
  ...["gateway.default", "gateway.channels.*"].flatMap((place) =>
    under(place, ["pairingPolicy", "pairingAllowFrom", "pairingPendingTtlMs", "pairingPendingMax"]),
  ),
  // Which agents there are and which model answers: of the providers that the owner connected.
  "agents.list",
  ...["agents.defaults", "agents.list.*"].flatMap((place) => [
    ...under(`${place}.model`, ["primary", "fallbacks"]),
    ...under(place, ["thinkingDefault", "reasoningDefault", "blockStreamingBreak"]),
    ...under(place, ["maxContextMessages", "userTimezone"]),
    ...under(`${place}.compaction`, ["enabled", "keepRecentTokens", "reserveTokensFloor"]),
    ...under(`${place}.compaction.messages`, ["over", "keep"]),
    ...under(`${place}.contextPruning`, ["mode", "ttl", "keepLastAssistants"]),
  ]),
  ...under("agents.defaults", ["maxAnswerCharacters", "maxAnswerMessages"]),
  ...under("agents.list.*", ["id", "model"]),
  // Who may write there, how answers look, and which account it is. The rest of a channel's keys are what its connector
  // reads, and by that it is told who wrote: the server, the secret that signs, the address that is listened on.
  ...["channels.*", "channels.*.accounts.*"].flatMap((place) => [
    ...under(place, ["enabled", "dmPolicy", "allowFrom", "groupPolicy", "groups", "groupAllowFrom"]),
    ...under(place, ["requireMention", "uncertain", "streaming", "workingReaction", "dmHistoryLimit"]),
    ...under(place, ["botToken", "appToken", "token", "accessToken"]),
    `${place}.dms.*.historyLimit`,
  ]),
]);

function under(place: string, keys: readonly string[]): string[] {
  return keys.map((key) => `${place}.${key}`);
}
