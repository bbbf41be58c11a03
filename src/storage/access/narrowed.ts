/** A SELECT that is narrowed by what its caller asks for: conditions and their values, kept together. */
import type { SqlValue } from "../sqlite/database.ts";

export interface Narrowed {
  /** Joined by AND. */
  where: string;
  parameters: SqlValue[];
}

/** A condition whose values are undefined is not asked for. A list of values is an `IN`. */
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
