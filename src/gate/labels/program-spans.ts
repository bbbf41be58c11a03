/** Notes when programs run, so that what they may have changed is not taken for the owner's or for ours. */
import type { Clock } from "../../infra/clock.ts";
import type { ProgramSpans } from "../../sandbox/programs/program.ts";
import type { GateStore } from "../../storage/gate/gate.ts";
import type { LeaseHolder } from "../../storage/stores.ts";
import type { FilePlaces } from "./file-place.ts";

export interface ProgramSpansParts {
  store: Pick<GateStore, "programBegan" | "programEnded" | "endGonePrograms">;
  places: Pick<FilePlaces, "ofRoot">;
  clock: Pick<Clock, "now">;
  /** This process. */
  holder: LeaseHolder;
  isAlive(holder: LeaseHolder): boolean;
}

export const createProgramSpans = ({
  store,
  places,
  clock,
  holder,
  isAlive,
}: ProgramSpansParts): ProgramSpans => ({
  async began(writes) {
    const root = writes === "everywhere" ? "" : places.ofRoot(writes.below);
    const id = await store.programBegan({ root, at: clock.now(), holder });
    return () => store.programEnded(id, clock.now());
  },
  async endGone() {
    await store.endGonePrograms(clock.now(), (each) => !isAlive(each));
  },
});
