/**
 * The grants of one task, asked for lazily: standing ones and marks first, and a planner only where they do not cover
 * a call. What the planner answered is stored with the turn before it counts, so a resumed turn has the same grants,
 * and later effects of the same message cost no further request.
 */
import type { CallContext } from "../call-context.ts";
import { recipientsOf, coverageOf, type Coverage } from "./covers.ts";
import type { CallFacts } from "../call-facts.ts";
import type { Grant } from "./grant.ts";
import type { Plan } from "./planner.ts";
import { isPlace, isSamePlace } from "./places.ts";

export interface TurnGrantsParts {
  /** The owner's standing grants, read again at each call. Throws what the storage does. */
  standing(): Promise<readonly Grant[]>;
  marks: readonly Grant[];
  /** Whom the owner calls what: a call names people as well as places. */
  contacts?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The stored plan of the turn, made if there is none yet. Throws what the storage does, and when aborted. */
  plan(): Promise<Plan>;
}

export interface TurnGrants {
  /** The plan is asked for only if nothing else covers the call. */
  coverage(call: CallFacts, context: CallContext): Promise<Coverage>;
}

export function createTurnGrants({ standing, marks, contacts = {}, plan }: TurnGrantsParts): TurnGrants {
  return {
    async coverage(call, context) {
      const uses = (grant: Grant) => usesOf(grant, context, contacts);
      const held = [...(await standing()), ...marks];
      const first = coverageOf({ call, context, grants: held, uses });
      const planned = async () => {
        const found = await plan();
        return found.type === "planned" ? found.grants : [];
      };
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
export function usesOf(
  grant: Grant,
  { earlier }: Pick<CallContext, "earlier">,
  contacts: NonNullable<TurnGrantsParts["contacts"]>,
): number {
  return earlier.filter((call) => {
    if (grant.tool !== call.tool && grant.tool !== "*") return false;
    if (grant.recipients.length === 0) return true;
    return recipientsOf(call).some(({ value }) => {
      const places = contactPlaces(value, contacts) ?? (isPlace(value) ? [value] : undefined);
      return !places || places.some((each) => grant.recipients.some((place) => isSamePlace(place, each)));
    });
  }).length;
}

const contactPlaces = (
  name: string,
  contacts: NonNullable<TurnGrantsParts["contacts"]>,
): readonly string[] | undefined =>
  Object.entries(contacts).find(([known]) => known.toLowerCase() === name.trim().toLowerCase())?.[1];
