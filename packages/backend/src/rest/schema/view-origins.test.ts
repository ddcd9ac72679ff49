import { expect, test } from 'vitest';
import { columnKey, type View, viewOrigins } from './view-origins.ts';

/** Formats a target list entry like Postgres 18, reduced to the relevant fields. */
const entry = (position: number, name: string, table: number, column: number) =>
  `{TARGETENTRY :expr {VAR :varno 1 :varattno ${column} :varnullingrels (b)} :resno ${position} :resname ${name} ` +
  `:ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk false}`;
const tree = (entries: string[], before = '<>') =>
  `({QUERY :commandType 1 :rtable ${before} :targetList (${entries.join(' ')}) :override 0 :limitCount <>})`;
const view = (id: string, columns: string[], text: string): View => ({
  id,
  columns: Object.fromEntries(columns.map((name, index) => [index + 1, name])),
  tree: text,
});

test('A view can select a column twice, and an expression has no source column', () => {
  const origins = viewOrigins([
    view('9', ['a', 'b', 'c', 'd'], tree([entry(1, 'a', 5, 1), entry(2, 'b', 5, 1), entry(3, 'c', 0, 0)])),
  ]).get('9');
  expect(origins).toEqual(new Map([[columnKey('5', '1'), ['a', 'b']]]));
});

test('Subqueries, and names that look like fields or brackets, are parsed correctly', () => {
  const inner = `({RANGETBLENTRY :subquery {QUERY :targetList (${entry(1, 'x', 7, 7)})}})`;
  const text = tree([entry(1, ':resorigtbl', 5, 2), entry(2, 'a\\ \\{b\\(', 5, 3)], inner);
  expect(viewOrigins([view('9', [':resorigtbl', 'a {b('], text)]).get('9')).toEqual(
    new Map([
      [columnKey('5', '2'), [':resorigtbl']],
      [columnKey('5', '3'), ['a {b(']],
    ]),
  );
});

test('Views of views are resolved to the table, and cyclic views do not cause endless recursion', () => {
  const origins = viewOrigins([
    view('9', ['a'], tree([entry(1, 'a', 5, 2)])),
    view('10', ['b'], tree([entry(1, 'b', 9, 1)])),
    view('11', ['c'], tree([entry(1, 'c', 12, 1)])),
    view('12', ['d'], tree([entry(1, 'd', 11, 1)])),
  ]);
  expect(origins.get('10')?.get(columnKey('5', '2'))).toEqual(['b']);
  expect([...(origins.get('11')?.keys() ?? [])]).toContain(columnKey('12', '1'));
});
