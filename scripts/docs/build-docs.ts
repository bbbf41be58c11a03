/**
 * Renders `docs/` into a folder of files that the gateway serves at `/docs`. It is done when the product is built, so that the gateway itself
 * knows nothing of Markdown.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack } from "../build-web.ts";
import { filesIn, root, sheets } from "./files-in.ts";

/** Renders them into `folder` unless exactly these are there. A link that leads nowhere becomes plain text; the tests tell of it. */
export async function buildDocsIfNeeded(folder: string): Promise<void> {
  const stamp = hashSources();
  const stampFile = join(folder, ".sources");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  // Loaded only where there is something to do: most starts find everything built.
  const { renderFiles } = await import("./render-docs.ts");
  const fresh = `${folder}.${process.pid}.new`;
  const old = `${folder}.${process.pid}.old`;
  mkdirSync(fresh, { recursive: true });
  for (const [path, text] of renderFiles()) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    writeFileSync(join(fresh, path), text);
    if (!path.endsWith(".png")) pack(join(fresh, path));
  }
  writeFileSync(join(fresh, ".sources"), stamp);
  // A gateway may be handing them out: there is hardly a moment without any.
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

function hashSources(): string {
  const hash = createHash("sha256");
  const others = [...sheets, "web/public/favicon.svg", "scripts/build-web.ts", "package.json"];
  for (const path of [...filesIn("docs"), ...filesIn("scripts/docs"), ...filesIn("web/src/docs"), ...others])
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDocsIfNeeded(join(root, "dist/docs"));
