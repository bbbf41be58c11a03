import { showPairingCode } from "../../routing/pairing-code.ts";
import type { DeviceRequest } from "../../storage/access/access.ts";
import type { NoticeStore } from "../../storage/outbox/notices.ts";

/** The owner is told once of a device that asks to be let in, and where they let it in. */
export async function tellOfDevice(
  { notices, look }: { notices: Pick<NoticeStore, "add">; look(): void },
  { id, name, code, address }: DeviceRequest,
): Promise<void> {
  const parameters = { name, address, code: showPairingCode(code) };
  const text = { key: "access.device-asked", parameters };
  await notices.add({ kind: "device", text, subject: `device:${id}`, replaces: true });
  look();
}
