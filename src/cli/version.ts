import { readFileSync } from "node:fs";

/** From package.json when running from source; the build puts it in place instead. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
