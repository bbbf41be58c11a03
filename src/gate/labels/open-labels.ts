/** What is known of files in an open home, put together once. */
import type { Home } from "../../config/home.ts";
import type { Clock } from "../../infra/clock.ts";
import type { ProgramSpans } from "../../sandbox/programs/program.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { LeaseHolder } from "../../storage/stores.ts";
import { createAcceptedFiles, type AcceptedFiles } from "./accepted-files.ts";
import { createFileLabels, type StoredFileLabels } from "./file-labels.ts";
import { createFilePlaces, type FilePlaces } from "./file-place.ts";
import { createProgramSpans } from "./program-spans.ts";

export interface OpenLabels {
  files: StoredFileLabels;
  accepted: AcceptedFiles;
  spans: ProgramSpans;
  places: FilePlaces;
}

export interface OpenLabelsParts {
  stores: Pick<TenantStores, "gate" | "notices">;
  home: Pick<Home, "root">;
  clock: Pick<Clock, "now">;
  /** This process. */
  holder: LeaseHolder;
  isAlive(holder: LeaseHolder): boolean;
}

export function openLabels({ stores, home, clock, holder, isAlive }: OpenLabelsParts): OpenLabels {
  const { gate: store, notices } = stores;
  const places = createFilePlaces(home.root);
  const accepted = createAcceptedFiles({
    store,
    places,
    async tell(workdir, names) {
      const subject = `steering:${workdir}`;
      if (names.length === 0) return void (await notices.dismiss(subject));
      const parameters = { workdir, files: names.join(", ") };
      const text = { key: "notice.steering", parameters };
      await notices.add({ kind: "steering", subject, text, replaces: true });
    },
  });
  return {
    places,
    accepted,
    files: createFileLabels({ store, places, accepted }),
    spans: createProgramSpans({ store, places, clock, holder, isAlive }),
  };
}
