import { fileURLToPath } from "node:url";

/** Where a folder lies that the build makes, for the built product and for one that runs from its sources. */
export function builtFolder(name: string): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? `../../../dist/${name}` : `./${name}`, import.meta.url));
}
