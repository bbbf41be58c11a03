/** Builds the conditions of a SELECT from a query, together with their values. */
import type { SqlValue } from "../sqlite/database.ts";

export interface Narrowed {
  /** Joined by AND. */
  where: string;
  parameters: SqlValue[];
}

/** A condition with undefined values is skipped. A list of values becomes an `IN`. */
export function narrowed(
  tenantId: string,
  wishes: Record<string, SqlValue | SqlValue[] | undefined>,
): Narrowed {
  const conditions = ["tenant_id = ?"];
  const parameters: SqlValue[] = [tenantId];
  for (const [condition, value] of Object.entries(wishes)) {
    if (value === undefined) continue;
    const values = Array.isArray(value) ? value : [value];
    conditions.push(
      Array.isArray(value) ? `${condition} IN (${values.map(() => "?").join(", ")})` : `${condition} ?`,
    );
    parameters.push(...values);
  }
  return { where: conditions.join(" AND "), parameters };
}
