/**
 * Finds the source columns of a view. Postgres stores a view as a parse tree whose target list names the source of each
 * column, through joins and subqueries, down to a table or another view.
 */

export interface View {
  /** Its pg_class.oid. */
  id: string;
  /** Names by number. */
  columns: Readonly<Record<string, string>>;
  /** The parse tree of the view, from pg_rewrite.ev_action. */
  tree: string;
}

/** All values are numbers as text. */
interface Origin {
  /** Number of the view's column. */
  position: string;
  /** The pg_class.oid of the source table or view, and the column number there. */
  table: string;
  column: string;
}

/** Builds a key from the numbers of table and column. */
export function columnKey(table: string, column: string): string {
  return `${table}.${column}`;
}

/**
 * Returns for each view the names of its columns by source column (columnKey). Views of views are resolved recursively.
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

/** A word or quoted name of a node tree. Backslashes escape delimiters. */
const TOKEN = /[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g;

/** Depth of the fields of the view's query: in a node in a list. Subqueries are deeper, and may come first. */
const QUERY_DEPTH = 2;
const ENTRY_DEPTH = QUERY_DEPTH + 2;

/** Parses the target list of the view's query. */
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
  // An entry without a source column, such as an expression, has zeros.
  return position && table && column && table !== '0' ? [{ position, table, column }] : [];
}
