/** How a browser signs in, signs out, and finds out who it is. */
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Config } from "../../config/schema.ts";
import { holds, permissionPoints } from "../../policy/permission-points.ts";
import { HttpFailure, type HttpCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import { isForwarded } from "./check-origin.ts";
import type { GatewayDoors } from "./create-doors.ts";
import { sessionCookie, shownBy } from "./shown-by.ts";

const strict = { additionalProperties: false };
const secret = Type.String({ minLength: 1, maxLength: 1024 });
const SignInBody = Type.Union([
  Type.Object({ code: secret }, strict),
  Type.Object({ password: secret }, strict),
  Type.Object({ token: secret }, strict),
]);
let validator: { Check(value: unknown): boolean } | undefined;

/** Nothing that is sent here is long. */
const mostBytes = 4096;

export function signInRoutes({
  doors,
  config,
}: {
  doors: Pick<GatewayDoors, "admit" | "signIn" | "signOut">;
  /** As it is now. */
  config(): Pick<Config, "gateway">;
}): HttpRoute[] {
  return [
    {
      method: "POST",
      path: "/api/sign-in",
      access: { type: "open" },
      async handle(call: HttpCall, reply: HttpReply) {
        const outcome = await doors.signIn(await readProof(call), {
          ...fromOf(call),
          name: call.headers["user-agent"] ?? "",
        });
        if (outcome.type === "too-many-tries") throw tooManyTries(outcome.retryAfterSeconds);
        if (outcome.type === "refused") {
          throw new HttpFailure(401, "UNAUTHORIZED", "This lets nobody in.", {
            hint: "A code works once, for five minutes; `pincer access code` makes a new one.",
          });
        }
        const { cookie, maxAgeSeconds, access } = outcome;
        reply.json(
          200,
          { id: access.id, role: access.role, expiresAt: access.expiresAt },
          setCookie(call, cookie, maxAgeSeconds),
        );
      },
    },
    {
      method: "POST",
      path: "/api/sign-out",
      access: { type: "open" },
      async handle(call: HttpCall, reply: HttpReply) {
        refuseStrangers(call);
        const { cookie } = shownBy(call.headers);
        if (cookie !== undefined) await doors.signOut(cookie);
        reply.json(200, { signedIn: false }, setCookie(call, "", 0));
      },
    },
    {
      method: "GET",
      path: "/api/me",
      access: { type: "open" },
      async handle(call: HttpCall, reply: HttpReply) {
        const shown = shownBy(call.headers);
        const admission = await doors.admit(shown, fromOf(call));
        const { mode, sessionHours } = config().gateway.auth;
        if (admission.type === "too-many-tries") throw tooManyTries(admission.retryAfterSeconds);
        if (admission.type !== "admitted") {
          // A session that is over would count as a wrong try each time it is shown.
          const headers = shown.cookie === undefined ? {} : setCookie(call, "", 0);
          return reply.json(200, { signedIn: false, asks: mode }, headers);
        }
        const { id, name, role, way, scope } = admission.caller;
        const permissions = permissionPoints.filter((point) => holds(role, point));
        // The browser keeps its session as long as we do.
        const { cookie } = shown;
        const isOfCookie = cookie !== undefined && shown.bearer === undefined && id.startsWith("browser:");
        const headers = isOfCookie ? setCookie(call, cookie, sessionHours * 3600) : {};
        reply.json(200, { signedIn: true, asks: mode, id, name, role, way, scope, permissions }, headers);
      },
    },
  ];
}

async function readProof(call: HttpCall) {
  refuseStrangers(call);
  const body = await call.json();
  validator ??= Compile(SignInBody);
  if (!validator.Check(body)) {
    throw new HttpFailure(400, "INVALID_REQUEST", "Exactly one of code, password and token is expected.");
  }
  return body as { code: string } | { password: string } | { token: string };
}

/** Whoever signs somebody in or out from another page means no good; and a body of unknown length is not needed for it. */
function refuseStrangers({ headers }: HttpCall): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new HttpFailure(403, "FORBIDDEN", "Only our own page signs in and out.");
  }
  const length = headers["content-length"];
  const isChunked = headers["transfer-encoding"] !== undefined;
  if (isChunked || Number(length ?? 0) > mostBytes) {
    throw new HttpFailure(413, "INVALID_REQUEST", "The body is too large.");
  }
}

const fromOf = (call: HttpCall) => ({ address: call.address, isForwarded: isForwarded(call.headers) });

/** What came by https stays there. Whoever says so wrongly only loses their own session. */
const setCookie = ({ headers }: HttpCall, value: string, maxAgeSeconds: number) => ({
  "set-cookie": sessionCookie(value, {
    maxAgeSeconds,
    isSecure: headers["x-forwarded-proto"] === "https",
  }),
});

const tooManyTries = (retryAfterSeconds: number) =>
  new HttpFailure(429, "UNAUTHORIZED", "Too many wrong tries.", {
    headers: { "retry-after": String(retryAfterSeconds) },
  });
