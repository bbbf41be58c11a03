/**
 * The grants of one task, asked for lazily: standing ones and marks first, and a planner only where they do not cover
 * a call. What the planner answered is stored with the turn before it counts, so a resumed turn has the same grants,
 * and later effects of the same message cost no further request.
 */
import type { CallContext } from "../call-context.ts";
import { recipientsOf, coverageOf, type Coverage } from "./covers.ts";
import type { CallFacts } from "../call-facts.ts";
import type { Grant } from "./grant.ts";
import type { Plan, PlannerTool } from "./planner.ts";
import { isPlace, isSamePlace } from "./places.ts";

export interface TurnGrantsParts {
  /** The owner's standing grants, read again at each call. Throws what the storage does. */
  standing(): Promise<readonly Grant[]>;
  marks: readonly Grant[];
  /** The stored plan of the turn, made if there is none yet. Throws what the storage does, and when aborted. */
  plan(): Promise<Plan>;
  /** Whether the words are the owner's for certain, or were confirmed. Throws what the storage does. */
  isConfirmed(): Promise<boolean>;
}

export interface TurnGrants {
  /** The plan is asked for only if nothing else covers the call. */
  coverage(call: CallFacts, context: CallContext): Promise<Coverage>;
  /**
   * What the planner grants under a name of ours that no tool has. It is used without a card, so words that may be
   * pasted grant nothing here until they are confirmed. Throws as `coverage` does.
   */
  planned(name: string): Promise<readonly Grant[]>;
}

/** What a planner may grant where others read the answer: no tool has this name. */
export const answerTool = {
  name: "answer",
  what: "answer here, where others read it, from sources",
  args: [],
} as const satisfies PlannerTool;

export function createTurnGrants({ standing, marks, plan, isConfirmed }: TurnGrantsParts): TurnGrants {
  const planned = async () => {
    const found = await plan();
    return found.type === "planned" ? found.grants : [];
  };
  return {
    planned: async (name) =>
      (await isConfirmed()) ? (await planned()).filter(({ tool }) => tool === name) : [],
    async coverage(call, context) {
      const uses = (grant: Grant) => usesOf(grant, context);
      const held = [...(await standing()), ...marks];
      const first = coverageOf({ call, context, grants: held, uses });
      // A grant that names sources may let more leave than a standing one: the plan is worth asking for.
      if (first.type === "covered" && !context.label.untrusted) return first;
      const grants = await planned();
      const second = coverageOf({ call, context, grants, uses });
      if (second.type === "covered" || first.type === "covered")
        return second.type === "covered" ? second : first;
      return coverageOf({ call, context, grants: [...held, ...grants], uses });
    },
  };
}

/** Earlier calls of the task that this grant covers by tool and recipient; one that names nobody known counts. Pure. */
export const usesOf = (grant: Grant, { earlier }: Pick<CallContext, "earlier">): number =>
  earlier.filter((call) => {
    if (grant.tool !== call.tool && grant.tool !== "*") return false;
    if (grant.recipients.length === 0) return true;
    return recipientsOf(call).some(
      ({ value }) => !isPlace(value) || grant.recipients.some((place) => isSamePlace(place, value)),
    );
  }).length;
