/**
 * Finds the columns of tables that a view shows. Postgres keeps a view as a parse tree whose target list says where
 * each column comes from, through joins and subqueries, down to a table or another view.
 */

export interface View {
  /** Its pg_class.oid. */
  id: string;
  /** Names by number. */
  columns: Readonly<Record<string, string>>;
  /** The tree of the view's query, as pg_rewrite.ev_action has it. */
  tree: string;
}

/** All numbers, as text. */
interface Origin {
  /** Number of the view's column. */
  position: string;
  /** The pg_class.oid of the table or view that it shows, and the number of the column there. */
  table: string;
  column: string;
}

/** Names a column of a table by the numbers of both. */
export function columnKey(table: string, column: string): string {
  return `${table}.${column}`;
}

/**
 * Returns for each view the names under which it shows a table's column, by columnKey; views of views are followed to
 * the end.
 */
export function viewOrigins(views: readonly View[]): Map<string, ReadonlyMap<string, readonly string[]>> {
  const direct = new Map(views.map((view) => [view.id, originsIn(view.tree)]));
  const origins = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const { id, columns } of views) {
    const shown = new Map<string, string[]>();
    for (const { position, table, column } of direct.get(id) ?? []) {
      const name = columns[position];
      if (name === undefined) continue;
      for (const key of tracedTo(direct, table, column, [id])) shown.set(key, [...(shown.get(key) ?? []), name]);
    }
    origins.set(id, shown);
  }
  return origins;
}

/** Returns the column itself, and its source columns if its table is a view. */
function tracedTo(
  direct: ReadonlyMap<string, readonly Origin[]>,
  table: string,
  column: string,
  path: readonly string[],
): string[] {
  const own = columnKey(table, column);
  if (path.includes(table)) return [own];
  const further = (direct.get(table) ?? []).filter(({ position }) => position === column);
  return [own, ...further.flatMap((origin) => tracedTo(direct, origin.table, origin.column, [...path, table]))];
}

/** A word or a quoted name of a node tree; backslashes keep what would end it. */
const TOKEN = /[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g;

/** Depth of the fields of the view's query: in a node in a list. Subqueries, deeper, may come before. */
const QUERY_DEPTH = 2;
const ENTRY_DEPTH = QUERY_DEPTH + 2;

/** Reads the entries of the target list of the view's query. */
function originsIn(tree: string): Origin[] {
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
      if (isListed && depth === ENTRY_DEPTH) origins.push(...originOf(entry));
      depth -= 1;
    } else if (token.startsWith(':')) field = token;
    else if (depth === ENTRY_DEPTH) entry[field] = token;
  }
  return origins;
}

function originOf({
  ':resno': position,
  ':resorigtbl': table,
  ':resorigcol': column,
}: Record<string, string>): Origin[] {
  // An entry that shows no column, such as an expression, has zeros.
  return position && table && column && table !== '0' ? [{ position, table, column }] : [];
}
