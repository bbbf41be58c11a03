/** Logins that other programs keep in their files, read only on request (AUTH-12). */
import { unused } from "../../storage/credentials/credentials.ts";
import { isTable, parseJson, unreadable, type CarriedCredential } from "./auth-profiles-file.ts";

export const foreignPrograms = {
  "claude-cli": { file: ".claude/.credentials.json", read: readClaudeLogin },
  "codex-cli": { file: ".codex/auth.json", read: readCodexLogin },
} as const;

export type ForeignProgram = keyof typeof foreignPrograms;

function readClaudeLogin(text: string, file: string): CarriedCredential {
  const login = parseJson(text, file)["claudeAiOauth"];
  const { accessToken: access, refreshToken: refresh, expiresAt: expires } = isTable(login) ? login : {};
  if (!isText(access)) throw unreadable(file, "no-login");
  const until = typeof expires === "number" ? { expires } : {};
  const shared = { id: "anthropic:claude-cli", provider: "anthropic", use: unused() };
  return isText(refresh)
    ? { ...shared, type: "oauth", secret: { refresh, access, ...until } }
    : { ...shared, type: "token", secret: { token: access, ...until } };
}

function readCodexLogin(text: string, file: string): CarriedCredential {
  const tokens = parseJson(text, file)["tokens"];
  const {
    access_token: access,
    refresh_token: refresh,
    account_id: accountId,
  } = isTable(tokens) ? tokens : {};
  if (!isText(access) || !isText(refresh)) throw unreadable(file, "no-login");
  const secret = { refresh, access, expires: endOf(access), ...(isText(accountId) ? { accountId } : {}) };
  return { id: "openai-codex:codex-cli", provider: "openai-codex", type: "oauth", secret, use: unused() };
}

/** Codex does not write down when its access token ends; the token says it itself. One that does not is taken to be over. */
function endOf(token: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    const end = isTable(claims) ? claims["exp"] : undefined;
    return typeof end === "number" ? end * 1000 : 1;
  } catch {
    return 1; // not of the form that has claims
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
