import { systemMessage } from "../routing/system-message.ts";
import type { ProgramRecord } from "../sandbox/programs/program.ts";
import type { OpenHome } from "../storage/home/open-home.ts";

/**
 * Tells a session that its background program was lost, as an internal message like the one for its end. The router
 * processes it with the rest of the inbox. On disk when it resolves; each program is reported once.
 */
export async function tellLostProgram(
  { stores, clock, tenantId, workspaceId }: Pick<OpenHome, "stores" | "clock" | "tenantId" | "workspaceId">,
  { id, sessionKey, destination }: Pick<ProgramRecord, "id" | "sessionKey" | "destination">,
  text: string,
): Promise<void> {
  await stores.inbox.accept(
    systemMessage({
      tenantId,
      workspaceId,
      id: `lost:${id}`,
      from: "tool:exec",
      sessionKey,
      destination: destination ?? null,
      text,
      now: clock.now(),
    }),
  );
}
