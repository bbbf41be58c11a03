/** How a browser signs in, signs out, and finds out who it is. */
import { permissionPoints } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";
import { holds } from "../../policy/permission-points.ts";
import { HttpFailure, type HttpCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import { isForwarded } from "./check-origin.ts";
import type { GatewayDoors } from "./create-doors.ts";
import { sessionCookie, shownBy } from "./shown-by.ts";
import { readAsk, readProof, refuseStrangers } from "./sign-in-body.ts";

export function signInRoutes({
  doors,
  config,
}: {
  doors: Pick<
    GatewayDoors,
    "admit" | "signIn" | "signOut" | "askForPasskey" | "askForKey" | "describePasskeys"
  >;
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
          origin: call.headers.origin,
        });
        if (outcome.type === "too-many-tries") throw tooManyTries(outcome.retryAfterSeconds);
        if (outcome.type === "refused") {
          throw new HttpFailure(401, "UNAUTHORIZED", "These credentials are not valid.", {
            hint: "A code works once, for five minutes; `pincer access code` makes a new one.",
          });
        }
        if (outcome.type === "pending") return reply.json(202, { pending: true, code: outcome.code });
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
      path: "/api/sign-in/options",
      access: { type: "open" },
      async handle(call: HttpCall, reply: HttpReply) {
        const asked = await readAsk(call);
        const { origin } = call.headers;
        if (asked.for === "device") return reply.json(200, await doors.askForKey(origin));
        const options = await doors.askForPasskey(origin);
        if (!options) {
          throw new HttpFailure(403, "FORBIDDEN", "Passkeys do not work at this address.", {
            hint: "Open the page under localhost, or by https under a name of gateway.allowedHosts.",
          });
        }
        reply.json(200, { options });
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
        const passkeys = await doors.describePasskeys(call.headers.host);
        if (admission.type === "too-many-tries") throw tooManyTries(admission.retryAfterSeconds);
        if (admission.type !== "admitted") {
          // A session that is over would count as a wrong try each time it is shown.
          const headers = shown.cookie === undefined ? {} : setCookie(call, "", 0);
          return reply.json(200, { signedIn: false, asks: mode, passkeys }, headers);
        }
        const { id, name, role, way, scope } = admission.caller;
        const permissions = permissionPoints.filter((point) => holds(role, point));
        // The browser keeps its session as long as we do.
        const { cookie } = shown;
        const isOfCookie = cookie !== undefined && shown.bearer === undefined && id.startsWith("browser:");
        const headers = isOfCookie ? setCookie(call, cookie, sessionHours * 3600) : {};
        const me = { id, name, role, way, scope, permissions };
        reply.json(200, { signedIn: true, asks: mode, passkeys, ...me }, headers);
      },
    },
  ];
}

const fromOf = (call: HttpCall) => ({ address: call.address, isForwarded: isForwarded(call.headers) });

/** What came over https stays there. A caller who claims https wrongly only loses their own session. */
const setCookie = ({ headers }: HttpCall, value: string, maxAgeSeconds: number) => ({
  "set-cookie": sessionCookie(value, {
    maxAgeSeconds,
    isSecure: headers["x-forwarded-proto"] === "https",
  }),
});

const tooManyTries = (retryAfterSeconds: number) =>
  new HttpFailure(429, "RATE_LIMITED", "Too many failed tries.", {
    headers: { "retry-after": String(retryAfterSeconds) },
  });
