/** Who may ask a route for something: how much its sender may ask for, who they are, what they may do. Only then is it handled. */
import type { Socket } from "node:net";
import { failure } from "../../infra/failure.ts";
import type { Caller } from "../../policy/caller.ts";
import { holds } from "../../policy/permission-points.ts";
import { isForwarded } from "../doors/check-origin.ts";
import type { Doors, Shown, ShownFrom } from "../doors/doors.ts";
import { shownBy } from "../doors/shown-by.ts";
import type { StrangerSeats } from "../limits/stranger-seats.ts";
import type { OpenReply } from "./http-reply.ts";
import { HttpFailure, type HttpCall, type HttpRoute } from "./http-route.ts";

export interface AdmissionParts {
  doors: Doors;
  /** Seconds to wait where somebody asks too much; undefined where they do not. */
  takeRate(who: { address: string } | { caller: Caller }): number | undefined;
  /** How many connections one address may have on which nobody has signed in; without it, as many as there may be. */
  seats?: StrangerSeats;
}

export interface Admission {
  /** Lets the route handle the call, if its sender may have that. Throws what they are told otherwise, and what the route throws. */
  answer(
    route: HttpRoute,
    call: HttpCall,
    reply: OpenReply,
    from: { address: string; socket: Socket },
  ): Promise<void>;
  /** Throws where somebody asks too much. */
  requireRate(who: { address: string } | { caller: Caller }): void;
  /** Whether the connection is one more than its address may have. */
  isOneTooMany(socket: Socket): boolean;
}

export function createAdmission({ doors, takeRate, seats }: AdmissionParts): Admission {
  return { answer, requireRate, isOneTooMany };

  async function answer(
    route: HttpRoute,
    call: HttpCall,
    reply: OpenReply,
    { address, socket }: { address: string; socket: Socket },
  ): Promise<void> {
    if (route.access.type !== "permission") {
      if (isOneTooMany(socket)) throw tooManyConnections();
      const isFile = route.access.type === "open" && route.access.isFile === true;
      if (!isFile) requireRate({ address });
      return (route as Exclude<HttpRoute, { access: { type: "permission" } }>).handle(call, reply);
    }
    const admitted = route as Extract<HttpRoute, { access: { type: "permission" } }>;
    const caller = await admit(shownBy(call.headers), { address, isForwarded: isForwarded(call.headers) });
    seats?.leave(socket);
    requireRate({ caller });
    const { point } = admitted.access;
    if (!holds(caller.role, point)) {
      throw new HttpFailure(
        403,
        "FORBIDDEN",
        `This needs the permission ${point}, which ${caller.role} does not have.`,
      );
    }
    await admitted.handle({ ...call, caller }, reply);
  }

  async function admit(shown: Shown, from: ShownFrom): Promise<Caller> {
    const admission = await doors.admit(shown, from);
    switch (admission.type) {
      case "admitted":
        return admission.caller;
      case "too-many-tries":
        throw tooFast(admission.retryAfterSeconds);
      case "nothing-shown":
        requireRate({ address: from.address });
        throw failure(
          "gateway/unauthorized",
          "gateway.unauthorized",
          {},
          { hint: "gateway.unauthorized.hint" },
        );
      case "refused":
      case "pending":
        throw failure(
          "gateway/unauthorized",
          "gateway.unauthorized",
          {},
          { hint: "gateway.unauthorized.hint" },
        );
    }
  }

  function requireRate(who: { address: string } | { caller: Caller }): void {
    const seconds = takeRate(who);
    if (seconds !== undefined) throw tooFast(seconds);
  }

  function isOneTooMany(socket: Socket): boolean {
    return seats?.isRefused(socket) ?? false;
  }
}

const tooFast = (seconds: number) =>
  new HttpFailure(429, "RATE_LIMITED", `Too many requests; go on in ${seconds} s.`, {
    headers: { "retry-after": String(seconds) },
  });

const tooManyConnections = () =>
  new HttpFailure(429, "RATE_LIMITED", "There are too many connections from your address; try again later.", {
    hint: "Close some, or sign in: those on which somebody has signed in are not counted.",
    headers: { "retry-after": "5" },
  });
