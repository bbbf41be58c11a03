/**
 * Every row that can still be read of a damaged database, table by table. The trees are walked from their roots; pages that a walk cannot
 * reach any more, because one above them is damaged, are looked at one by one and belong to the tree whose form their records have.
 */
import type { DatabaseSync } from "node:sqlite";
import type { PageImage } from "./page-image.ts";
import { readTreePage, type TreePage, type TreeRecord, type Value } from "./tree-page.ts";

export interface SalvagedTable {
  name: string;
  /** The columns of each row; a row from before a column was added is shorter. */
  columns: string[];
  rows: Value[][];
  /** Rows that are known to be lost, by an index that has more; at least this many. */
  lost: number;
  /** Pages and cells of it that cannot be read. */
  damage: number;
}

interface Tree {
  name: string;
  table: string;
  isIndex: boolean;
  /** Whether it has an entry for each row of its table. */
  isFull: boolean;
  root: number | undefined;
  columns: Column[];
  kind: TreePage["kind"];
  records: TreeRecord[];
  damage: number;
}

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  /** A row from before it was added may lack it. */
  isOptional: boolean;
  /** Its value is the row's id, and the record has none. */
  isRowId: boolean;
}

/** `known` has the tables and indexes as this version makes them, for those that the damaged schema does not name any more. */
export function readTables(image: PageImage, known: DatabaseSync): SalvagedTable[] {
  const pages = new Map<number, TreePage>();
  for (let number = 1; number <= image.count; number++) {
    const page = readTreePage(image, number);
    if (page) pages.set(number, page);
  }
  const stated = readSchema(pages);
  const trees = describeTrees(known).map((tree) => ({ ...tree, root: stated.get(tree.name) }));
  trees.push(schemaTree());
  const taken = new Set<number>([...pages.values()].flatMap(({ overflow }) => overflow));
  for (const number of freePages(image)) taken.add(number);
  for (const tree of trees) walk(tree, image, pages, taken);
  const torn = trees.filter(({ root, damage }) => root === undefined || damage > 0);
  for (const [number, page] of pages) {
    if (taken.has(number)) continue;
    const [record] = page.records;
    const fitting = record && torn.filter((tree) => tree.kind === page.kind && hasForm(tree, record.values));
    const [tree] = fitting ?? [];
    // Where it could be another's, nobody knows.
    if (!tree || fitting?.length !== 1) continue;
    tree.records.push(...page.records.filter(({ values }) => hasForm(tree, values)));
  }
  const isOurs = ({ name, isIndex }: Tree) => !isIndex && !name.startsWith("sqlite_");
  return trees.filter(isOurs).map((tree) => toTable(tree, trees));
}

/** Where each tree begins, by its name. */
function readSchema(pages: ReadonlyMap<number, TreePage>): Map<string, number> {
  const roots = new Map<string, number>();
  for (const { kind, records } of pages.values()) {
    if (kind !== "rows") continue;
    for (const { values } of records) {
      const [type, name, , root, sql] = values;
      if (values.length !== 5 || (type !== "table" && type !== "index")) continue;
      if (typeof name !== "string" || typeof root !== "number" || root < 2) continue;
      if (sql === null || typeof sql === "string") roots.set(name, root);
    }
  }
  return roots;
}

const schemaTree = (): Tree => ({
  name: "sqlite_schema",
  table: "sqlite_schema",
  isIndex: false,
  isFull: true,
  root: 1,
  columns: ["TEXT", "TEXT", "TEXT", "INTEGER", "TEXT"].map((type, place) => ({
    name: "",
    type,
    isRequired: place < 4,
    isOptional: false,
    isRowId: false,
  })),
  kind: "rows",
  records: [],
  damage: 0,
});

function describeTrees(known: DatabaseSync): Tree[] {
  const all = (sql: string, ...parameters: string[]) => known.prepare(sql).all(...parameters);
  const trees: Tree[] = [];
  for (const { name: given, sql } of all("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")) {
    const table = String(given);
    const info = all(
      'SELECT name, type, pk, "notnull" AS required, dflt_value AS given FROM pragma_table_info(?)',
      table,
    );
    const isClustered = String(sql).includes("WITHOUT ROWID");
    const keys = info.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a["pk"]) - Number(b["pk"]));
    const ordered = isClustered ? [...keys, ...info.filter(({ pk }) => Number(pk) === 0)] : info;
    const isAlias = !isClustered && keys.length === 1 && keys[0]?.["type"] === "INTEGER";
    const columns = ordered.map(({ name, type, pk, required, given: otherwise }): Column => ({
      name: String(name),
      type: String(type),
      isRequired: Number(required) === 1 || (isClustered && Number(pk) > 0),
      isOptional: Number(required) === 0 || otherwise !== null,
      isRowId: isAlias && Number(pk) > 0,
    }));
    const base = { table, records: [], damage: 0, root: undefined };
    trees.push({
      ...base,
      name: table,
      isIndex: false,
      isFull: true,
      columns,
      kind: isClustered ? "keys" : "rows",
    });
    for (const { name, partial } of all(
      "SELECT name, partial, origin FROM pragma_index_list(?) WHERE NOT (origin = 'pk' AND ?)",
      table,
      isClustered ? "1" : "0",
    )) {
      const parts = all("SELECT name FROM pragma_index_xinfo(?) ORDER BY seqno", String(name));
      const rowId: Column = {
        name: "",
        type: "INTEGER",
        isRequired: true,
        isOptional: false,
        isRowId: false,
      };
      const own = parts.map((part) => columns.find((column) => column.name === part["name"]) ?? rowId);
      const asKeys = own.map((column) => ({ ...column, isRowId: false }));
      trees.push({
        ...base,
        records: [],
        name: String(name),
        isIndex: true,
        isFull: Number(partial) === 0,
        columns: asKeys,
        kind: "keys",
      });
    }
  }
  return trees;
}

function walk(tree: Tree, image: PageImage, pages: ReadonlyMap<number, TreePage>, taken: Set<number>): void {
  const waiting = tree.root === undefined ? [] : [tree.root];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = pages.get(number);
    if (!page || page.kind !== tree.kind || taken.has(number) || number > image.count) {
      tree.damage++;
      continue;
    }
    taken.add(number);
    const fitting = page.records.filter(({ values }) => hasForm(tree, values));
    tree.damage += page.badCells + page.records.length - fitting.length;
    tree.records.push(...fitting);
    waiting.push(...page.children);
  }
}

/** What was deleted lies there, if anything. */
function freePages(image: PageImage): number[] {
  const found: number[] = [];
  let trunk = image.page(1)?.readUInt32BE(32) ?? 0;
  while (trunk > 0 && trunk <= image.count && !found.includes(trunk)) {
    const page = image.page(trunk);
    if (!page) break;
    found.push(trunk);
    const leaves = Math.min(page.readUInt32BE(4), Math.floor(image.usable / 4) - 2);
    for (let leaf = 0; leaf < leaves; leaf++) found.push(page.readUInt32BE(8 + leaf * 4));
    trunk = page.readUInt32BE(0);
  }
  return found;
}

function hasForm({ columns, isIndex }: Tree, values: readonly Value[]): boolean {
  if (values.length > columns.length || (isIndex && values.length !== columns.length)) return false;
  if (columns.slice(values.length).some(({ isOptional }) => !isOptional)) return false;
  return values.every((value, index) => {
    const { name, type, isRequired, isRowId } = columns[index] as Column;
    if (isRowId) return value === null;
    if (value === null) return !isRequired;
    if (type === "") return true;
    if (type === "TEXT") return typeof value === "string" && (!name.endsWith("_json") || isJson(value));
    return typeof value === "number" || typeof value === "bigint";
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function toTable(tree: Tree, trees: readonly Tree[]): SalvagedTable {
  const { name, columns, records } = tree;
  const indexes = trees.filter(({ isIndex, isFull, table }) => isIndex && isFull && table === name);
  const most = Math.max(0, ...indexes.map((index) => index.records.length));
  return {
    name,
    columns: columns.map((column) => column.name),
    rows: records.map(({ values, rowId }) =>
      values.map((value, index) => (columns[index]?.isRowId ? rowId : value)),
    ),
    lost: Math.max(0, most - records.length),
    damage: tree.damage + (tree.root === undefined ? 1 : 0),
  };
}
