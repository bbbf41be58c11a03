/** Getting hold of a credential by the provider's own login, and where other programs of the machine keep theirs. */
import { Type } from "typebox";
import { answer, method, name, ofAgent } from "./method.ts";

export const loginMethods = {
  /** Which providers have a login of their own, and which programs of the gateway's machine have one that can be taken over. */
  "auth.ways": method({
    params: {},
    result: answer<LoginWaysView>(),
    effect: "read",
    permission: "auth.write",
    scope: "tenant",
  }),
  /**
   * Leads a person through the provider's login and stores what comes of it as `id`; answers when that is done, and ends with the connection.
   * Tells what to do as `auth.login_step`, and asks as `auth.login_prompt`, which `auth.answer` answers.
   */
  "auth.login": method({
    params: { provider: name, id: Type.Optional(name), ...ofAgent },
    result: answer<{ stored: { id: string; agentId: string | null; provider: string } }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  /** Ends a login that its person does not want any more; safe to call twice. */
  "auth.leave": method({
    params: { loginId: Type.String({ minLength: 1, maxLength: 64 }) },
    result: answer<{ left: boolean }>(),
    effect: "change",
    permission: "auth.write",
    scope: "tenant",
  }),
  /** What was entered, or the id of what was chosen; of whoever began the login. */
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
  /** Programs whose login `auth.import` can take over. */
  programs: Array<{ from: "claude-cli" | "codex-cli"; file: string; isThere: boolean }>;
}

/** Of `auth.login_step`; `begun` is the first. */
export type LoginStepView = { loginId: string } & (
  | { type: "begun" }
  | { type: "open"; url: string; instructions: string | null }
  | { type: "code"; url: string; code: string }
  | { type: "told"; message: string; links: Array<{ url: string; label: string }> }
);

/** Of `auth.login_prompt`. One that is over needs no answer any more: the login went on without it. */
export type LoginPromptView = { loginId: string; prompt: number } & (
  | { type: "over" }
  | { type: "text" | "secret"; message: string; placeholder: string }
  | { type: "choice"; message: string; options: Array<{ id: string; label: string }> }
);
