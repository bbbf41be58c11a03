/** Provider logins, and logins of other programs on the machine. */
import { Type } from "typebox";
import { answer, method, name, ofAgent } from "./method.ts";

export const loginMethods = {
  /**
   * Which providers have an account login, and which programs on the gateway's machine have a login that can be
   * imported.
   */
  "auth.ways": method({
    params: {},
    result: answer<LoginWaysView>(),
    effect: "read",
    permission: "auth.write",
    scope: "tenant",
  }),
  /**
   * Guides a person through the provider's login and stores the result as `id`; answers when that is done, and ends
   * with the connection. Sends instructions as `auth.login_step` and questions as `auth.login_prompt`, which
   * `auth.answer` answers.
   */
  "auth.login": method({
    params: { provider: name, id: Type.Optional(name), ...ofAgent },
    result: answer<{ stored: { id: string; agentId: string | null; provider: string } }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  /** Cancels a login; safe to call twice. */
  "auth.leave": method({
    params: { loginId: Type.String({ minLength: 1, maxLength: 64 }) },
    result: answer<{ left: boolean }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  /** The text that the person entered, or the id of the chosen option; only from the caller that started the login. */
  "auth.answer": method({
    params: {
      loginId: Type.String({ minLength: 1, maxLength: 64 }),
      prompt: Type.Integer({ minimum: 1 }),
      text: Type.String({ maxLength: 8192 }),
    },
    result: answer<{ taken: true }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
};

export interface LoginWaysView {
  /** By name. */
  logins: string[];
  /** Programs whose login `auth.import` can import. */
  programs: Array<{ from: "claude-cli" | "codex-cli"; file: string; isThere: boolean }>;
}

/** Payload of `auth.login_step`; `begun` is the first. */
export type LoginStepView = { loginId: string } & (
  | { type: "begun" }
  | { type: "open"; url: string; instructions: string | null }
  | { type: "code"; url: string; code: string }
  | { type: "told"; message: string; links: Array<{ url: string; label: string }> }
);

/** Payload of `auth.login_prompt`. A prompt that is over needs no answer any more: the login continued without it. */
export type LoginPromptView = { loginId: string; prompt: number } & (
  | { type: "over" }
  | { type: "text" | "secret"; message: string; placeholder: string }
  | { type: "choice"; message: string; options: Array<{ id: string; label: string }> }
);
