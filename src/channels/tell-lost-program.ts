import { systemMessage } from "../routing/system-message.ts";
import type { ProgramRecord } from "../sandbox/programs/program.ts";
import type { OpenHome } from "../storage/home/open-home.ts";

/**
 * The session that left a program in the background hears that it was lost, as it would have heard of its end: as a message of its own, which the
 * router takes up with all that was left behind. On the disk when it resolves; the same program is told of once.
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
