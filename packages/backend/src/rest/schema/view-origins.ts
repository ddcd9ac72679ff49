/**
 * Finds the source columns of a view. Postgres stores a view as a parse tree. Its target list maps each column to
 * a column of a table or another view, even through joins and subqueries.
 */

export interface View {
  /** The pg_class.oid. */
  id: string;
  /** Column names by number. */
  columns: Readonly<Record<string, string>>;
  /** The parse tree of the view, from pg_rewrite.ev_action. */
  tree: string;
}

/** Source of a view column. All values are numbers as text. */
interface Origin {
  /** Number of the view's column. */
  position: string;
  /** The pg_class.oid of the source table or view, and the column number there. */
  table: string;
  column: string;
}

/** Builds a map key from the oid of a table and the number of a column. */
export function columnKey(table: string, column: string): string {
  return `${table}.${column}`;
}

/**
 * Returns for each view the names of its columns by source column (columnKey). Views of views are resolved recursively.
 */
export function viewOrigins(views: readonly View[]): Map<string, ReadonlyMap<string, readonly string[]>> {
  const direct = new Map(views.map((view) => [view.id, parseOrigins(view.tree)]));
  const origins = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const { id, columns } of views) {
    const names = new Map<string, string[]>();
    for (const { position, table, column } of direct.get(id) ?? []) {
      const name = columns[position];
      if (name === undefined) continue;
      for (const key of sourceKeys(direct, table, column, [id])) names.set(key, [...(names.get(key) ?? []), name]);
    }
    origins.set(id, names);
  }
  return origins;
}

/** Returns the keys of the column itself, and of its source columns if the table is a view. */
function sourceKeys(
  direct: ReadonlyMap<string, readonly Origin[]>,
  table: string,
  column: string,
  path: readonly string[],
): string[] {
  const key = columnKey(table, column);
  if (path.includes(table)) return [key];
  const sources = (direct.get(table) ?? []).filter(({ position }) => position === column);
  return [key, ...sources.flatMap((origin) => sourceKeys(direct, origin.table, origin.column, [...path, table]))];
}

/** A bracket or word of a parse tree. Backslashes escape delimiters. */
const TOKEN = /[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g;

/** Depth of the fields of the view's query. The fields of subqueries are deeper, and can precede these fields. */
const QUERY_DEPTH = 2;
const ENTRY_DEPTH = QUERY_DEPTH + 2;

/** Parses the target list of the view's query. */
function parseOrigins(tree: string): Origin[] {
  const origins: Origin[] = [];
  let depth = 0;
  let isListed = false;
  let field = '';
  let entry: Record<string, string> = {};
  for (const [token] of tree.matchAll(TOKEN)) {
    if (token === '(' || token === '{') {
      if (depth === QUERY_DEPTH) isListed = field === ':targetList';
      depth += 1;
      if (depth === ENTRY_DEPTH) entry = {};
    } else if (token === ')' || token === '}') {
      if (isListed && depth === ENTRY_DEPTH) origins.push(...toOrigin(entry));
      depth -= 1;
    } else if (token.startsWith(':')) field = token;
    else if (depth === ENTRY_DEPTH) entry[field] = token;
  }
  return origins;
}

function toOrigin({
  ':resno': position,
  ':resorigtbl': table,
  ':resorigcol': column,
}: Record<string, string>): Origin[] {
  // An entry without a source column, such as an expression, has zeros.
  return position && table && column && table !== '0' ? [{ position, table, column }] : [];
}
