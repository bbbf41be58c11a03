import { join } from "node:path";
import { createCatalogue, type Catalogue, type CatalogueParts } from "./catalogue.ts";
import { createLocalServers } from "./local-servers.ts";
import { createRefreshedModels } from "./refreshed-models.ts";

export interface OpenCatalogueParts extends Pick<CatalogueParts, "config" | "asker" | "authOf" | "resolve"> {
  /** The home; refreshed lists are in its `models`. */
  homeRoot: string;
  /** Told of a list there that cannot be read. */
  onBroken(file: string): void;
}

/** The catalogue of a home. Opens nothing until it is asked. */
export function openCatalogue({ homeRoot, onBroken, ...parts }: OpenCatalogueParts): Catalogue {
  const refreshed = createRefreshedModels({
    directory: join(homeRoot, "models"),
    clock: parts.asker.clock,
    onBroken,
  });
  return createCatalogue({ ...parts, refreshed, local: createLocalServers(parts.asker) });
}
