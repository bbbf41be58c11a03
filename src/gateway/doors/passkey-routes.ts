/** How a signed-in browser creates a passkey. Revoking it is `access.revoke`, as for every sign-in method. */
import { HttpFailure, type AdmittedCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import type { PasskeyDoor } from "./passkey-door.ts";
import { readNewPasskey, refuseStrangers } from "./sign-in-body.ts";

export function passkeyRoutes({
  doors,
}: {
  doors: Pick<PasskeyDoor, "offerPasskey" | "addPasskey">;
}): HttpRoute[] {
  const access = { type: "permission", point: "access.write" } as const;
  return [
    {
      method: "POST",
      path: "/api/passkeys/options",
      access,
      async handle(call: AdmittedCall, reply: HttpReply) {
        refuseStrangers(call);
        reply.json(200, { options: await doors.offerPasskey(call.caller, originOf(call)) });
      },
    },
    {
      method: "POST",
      path: "/api/passkeys",
      access,
      async handle(call: AdmittedCall, reply: HttpReply) {
        const asked = await readNewPasskey(call);
        const { id, name, role } = await doors.addPasskey(call.caller, asked, originOf(call));
        reply.json(200, { id, name, role });
      },
    },
  ];
}

/** Only pages have passkeys, and browsers say which page it is. */
function originOf({ headers }: AdmittedCall): string {
  if (headers.origin === undefined) {
    throw new HttpFailure(400, "INVALID_REQUEST", "Only a page in a browser can create a passkey.");
  }
  return headers.origin;
}
