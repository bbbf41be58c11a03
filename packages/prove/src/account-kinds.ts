/**
 * Four networks in one: keyed drops a second send with the same key, queryable can be asked, plain can neither, editing can be
 * asked and lets messages be changed. The same people with the same ids are on all of them.
 */
export const accountKinds = ["keyed", "queryable", "plain", "editing"] as const;
export type AccountKind = (typeof accountKinds)[number];
