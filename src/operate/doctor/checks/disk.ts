import type { Check } from "../check.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { formatBytes } from "../../../infra/format-bytes.ts";
import { freeBytes } from "../../../storage/home/free-bytes.ts";

const leastBytes = 200 * 1024 * 1024;
const comfortableBytes = 1024 * 1024 * 1024;

/** `free` asks the system unless told. */
export function checkDisk(
  { home, say }: ExaminedHome,
  free: (path: string) => Promise<number> = freeBytes,
): Check {
  return {
    id: "disk",
    title: say("doctor.disk"),
    async check() {
      const bytes = await free(home.root);
      const message = say("doctor.disk.free", { free: formatBytes(bytes), path: home.root });
      if (bytes >= comfortableBytes) return [{ level: "ok", message }];
      return [{ level: bytes < leastBytes ? "problem" : "warning", message, next: say("doctor.disk.next") }];
    },
  };
}
