import type { Intake, IntakeParts } from "./intake.ts";
import { pollSeconds, startPolling } from "./poll-updates.ts";
import { withinMs } from "./within-ms.ts";

const askMs = 20_000;

/** Messages by polling. Throws BotApiError, with words where another program polls. */
export async function openPolling(parts: IntakeParts): Promise<Intake> {
  const { api, host, signal } = parts;
  // With a webhook set nothing comes by polling; what waits there is kept.
  await withinMs(host.clock, askMs, signal, (deadline) =>
    api.call("deleteWebhook", { drop_pending_updates: false }, deadline),
  );
  const polling = await startPolling(parts);
  return {
    heartbeatSeconds: pollSeconds + 5,
    trouble: async () => polling.trouble(),
    close: () => polling.done,
  };
}
