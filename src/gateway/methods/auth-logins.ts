/** Logins at providers for people at a page: instructions and questions go over the wire, the credential stays here. */
import type { LoginPromptView, LoginStepView } from "@pincer/sdk";
import { randomBytes } from "node:crypto";
import { access } from "node:fs/promises";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { requireCredentialName } from "../../models/credentials/credential-name.ts";
import { hideSecret } from "../../storage/credentials/credential-secret.ts";
import {
  noLogin,
  type LoginEvent,
  type LoginPrompt,
  type OAuthFlows,
} from "../../models/credentials/oauth-flows.ts";
import { foreignLoginFile, foreignProgramNames, logIn } from "./auth-login.ts";
import type { StoredCredentials } from "./stored-credentials.ts";
import type { Api, Until } from "./api.ts";

export interface AuthLoginParts {
  logins: Pick<OAuthFlows, "has" | "providers" | "login">;
  redactor: Redactor;
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Throws `config/not-found`. */
  requireAgent(agentId: string | null): Promise<void>;
}

const mostLogins = 8;
const loginMs = 15 * 60_000;

interface OpenLogin {
  callerId: string;
  /** What is being asked, by number. */
  prompts: Map<number, { isSecret: boolean; answer(text: string): void }>;
  asked: number;
  leave(): void;
}

export function createAuthLogins(
  { logins, redactor, environment, clock, requireAgent }: AuthLoginParts,
  credentials: StoredCredentials,
): Pick<Api<"auth">, "ways" | "login" | "leave" | "answer"> {
  const open = new Map<string, OpenLogin>();

  return {
    async ways() {
      const programs = foreignProgramNames.map(async (from) => {
        const file = foreignLoginFile(from, environment);
        return { from, file, isThere: await isThere(file) };
      });
      return { logins: [...logins.providers].sort(), programs: await Promise.all(programs) };
    },

    async login({ provider, id = `${provider}:login`, agentId = null }, until) {
      requireCredentialName(id);
      if (!logins.has(provider)) throw noLogin(provider, logins.providers);
      await requireAgent(agentId);
      await credentials.requireFree({ id, agentId, provider });
      if (open.size >= mostLogins) throw failure("gateway/busy", "auth.login.too-many");
      const loginId = randomBytes(9).toString("base64url");
      const over = new AbortController();
      const leave = () => over.abort(failure("model/failed", "auth.login.left", { provider }));
      const own: OpenLogin = { callerId: callerOf(until), prompts: new Map(), asked: 0, leave };
      open.set(loginId, own);
      clock.sleep(loginMs, over.signal).then(
        () => over.abort(failure("model/failed", "auth.login.too-late", { provider })),
        () => {},
      );
      const signal = until ? AbortSignal.any([until.signal, over.signal]) : over.signal;
      const emit = until?.emit ?? (() => {});
      emit("auth.login_step", { loginId, type: "begun" } satisfies LoginStepView);
      try {
        const interaction = {
          signal,
          notify: (event: LoginEvent) => emit("auth.login_step", stepOf(loginId, event)),
          prompt: (prompt: LoginPrompt) => ask({ loginId, own, prompt, signal, emit }),
        };
        const secret = await logIn(provider, interaction, logins.login);
        hideSecret(redactor, id, secret);
        await credentials.put({ id, agentId, provider, type: "oauth", secret, source: "login" });
        return { stored: { id, agentId, provider } };
      } finally {
        open.delete(loginId);
        over.abort();
      }
    },

    async leave({ loginId }, until) {
      const own = open.get(loginId);
      const isTheirs = own?.callerId === callerOf(until);
      if (isTheirs) own.leave();
      return { left: isTheirs };
    },

    async answer({ loginId, prompt, text }, until) {
      const own = open.get(loginId);
      const mayAnswer = own?.callerId === callerOf(until);
      const asked = mayAnswer ? own.prompts.get(prompt) : undefined;
      if (!own || !asked) throw failure("usage/not-found", "auth.login.nothing-asked");
      if (asked.isSecret) redactor.add("login", text);
      own.prompts.delete(prompt);
      asked.answer(text);
      return { taken: true };
    },
  };
}

const callerOf = (until: Until | undefined): string => until?.caller?.id ?? "";

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

function ask({
  loginId,
  own,
  prompt,
  signal,
  emit,
}: {
  loginId: string;
  own: OpenLogin;
  prompt: LoginPrompt;
  signal: AbortSignal;
  emit: NonNullable<Until["emit"]>;
}): Promise<string> {
  const number = ++own.asked;
  const ends = prompt.signal ? AbortSignal.any([signal, prompt.signal]) : signal;
  return new Promise((resolve, reject) => {
    const end = () => {
      own.prompts.delete(number);
      emit("auth.login_prompt", { loginId, prompt: number, type: "over" } satisfies LoginPromptView);
      reject(ends.reason);
    };
    if (ends.aborted) return end();
    ends.addEventListener("abort", end, { once: true });
    own.prompts.set(number, {
      isSecret: prompt.type === "secret" || prompt.type === "manual_code",
      answer(text) {
        ends.removeEventListener("abort", end);
        resolve(text);
      },
    });
    emit("auth.login_prompt", promptOf({ loginId, prompt: number }, prompt));
  });
}

function stepOf(loginId: string, event: LoginEvent): LoginStepView {
  if (event.type === "auth_url")
    return { loginId, type: "open", url: event.url, instructions: event.instructions ?? null };
  if (event.type === "device_code")
    return { loginId, type: "code", url: event.verificationUri, code: event.userCode };
  const links = (event.type === "info" && event.links) || [];
  return {
    loginId,
    type: "told",
    message: event.message,
    links: links.map(({ url, label }) => ({ url, label: label ?? url })),
  };
}

function promptOf(named: { loginId: string; prompt: number }, prompt: LoginPrompt): LoginPromptView {
  const { message } = prompt;
  if (prompt.type === "select")
    return {
      ...named,
      type: "choice",
      message,
      options: prompt.options.map(({ id, label }) => ({ id, label })),
    };
  const placeholder = prompt.placeholder ?? "";
  return { ...named, type: prompt.type === "secret" ? "secret" : "text", message, placeholder };
}
