/** Compares an observed access matrix with the declared matrix. */
import type { Access } from './access.ts';
import { OTHERS } from './functions.ts';
import { STOPPED } from './tables.ts';

export interface Difference {
  /** For example, `posts, visitor, select`. */
  location: string;
  declared: string;
  observed: string;
  /** True if more is allowed than declared. An instance without test data allows less. */
  allowsMore: boolean;
}

/** Returns the differences. If `isWhole` is true, declared entries that were not observed count as differences, too. */
export function compareAccess(declared: Access, observed: Access, isWhole = true): Difference[] {
  const declaredCells = flatten(declared);
  const observedCells = flatten(observed);
  const objects = new Set(observedCells.objects);
  const missing = isWhole ? declaredCells.objects.filter((object) => !objects.has(object)) : [];
  const locations = [...new Set([...declaredCells.cells.keys(), ...observedCells.cells.keys()])];
  return [
    ...observedCells.objects
      .filter((object) => !declaredCells.objects.includes(object))
      .map((object) => difference(object, 'missing', 'present')),
    ...missing.map((object) => difference(object, 'present', 'missing', false)),
    ...locations.flatMap((location) => {
      const [object = ''] = location.split(', ');
      if (!objects.has(object)) return [];
      const [before, after] = [declaredCells.cells.get(location) ?? '', observedCells.cells.get(location) ?? ''];
      return before === after
        ? []
        : [difference(location, before, after, allowsMore(declaredCells.cells, location, before, after))];
    }),
  ];
}

function difference(location: string, declared: string, observed: string, allowsMore = true): Difference {
  return { location, declared: declared || 'nothing', observed: observed || 'nothing', allowsMore };
}

interface Cells {
  objects: string[];
  /** Results by `object, role, verb`. */
  cells: Map<string, string>;
}

function flatten({ tables, functions, buckets }: Access): Cells {
  const cells = new Map<string, string>();
  const add = (object: string, caller: string, values: Partial<Record<string, string>>) => {
    for (const [verb, value] of Object.entries(values)) cells.set(`${object}, ${caller}, ${verb}`, value ?? '');
  };
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    for (const [role, privileges] of Object.entries(columns)) add(`table ${table}`, `columns of ${role}`, privileges);
    for (const [role, reach] of Object.entries(rows)) add(`table ${table}`, role, reach ?? {});
  }
  for (const [name, access] of Object.entries(functions)) {
    for (const [role, outcome] of Object.entries(access)) cells.set(`function ${name}, ${role}`, outcome ?? '');
  }
  for (const [bucket, access] of Object.entries(buckets)) {
    for (const [role, verbs] of Object.entries(access)) {
      for (const verb of verbs?.split(', ') ?? []) cells.set(`bucket ${bucket}, ${role}, ${verb}`, 'yes');
    }
  }
  const objects = [
    ...Object.keys(tables).map((name) => `table ${name}`),
    ...Object.keys(functions).map((name) => `function ${name}`),
    ...Object.keys(buckets).map((name) => `bucket ${name}`),
  ];
  return { objects, cells };
}

function allowsMore(
  declaredCells: ReadonlyMap<string, string>,
  location: string,
  before: string,
  after: string,
): boolean {
  if (!location.startsWith('function ')) {
    if (location.includes(', columns of ')) return after !== '' && before !== '*';
    return rankReach(after) > rankReach(before) || (isPartial(after) && isPartial(before));
  }
  if (after === '') return false;
  if (after === OTHERS) return before !== OTHERS;
  if (before === 'nothing')
    return after !== 'denied' && after !== 'refused' && isReadableByAnyRole(declaredCells, location);
  return rankOutcome(after) > rankOutcome(before);
}

/** Minimum rank of results that mean the caller was allowed, even if the call failed later. */
const ALLOWED = 3;

const isPartial = (reach: string) => rankReach(reach) === 1;

function rankReach(reach: string): number {
  if (reach === '' || reach === STOPPED) return 0;
  return reach === 'all' || reach === 'yes' ? 2 : 1;
}

function rankOutcome(outcome: string): number {
  const rank = ['', 'denied', 'refused'].indexOf(outcome);
  return rank === -1 ? ALLOWED : rank;
}

/**
 * Checks whether any role gets data from the function. If so, `nothing` means that the caller has no access. Otherwise
 * it can mean that there was no data.
 */
function isReadableByAnyRole(declaredCells: ReadonlyMap<string, string>, location: string): boolean {
  const prefix = `${location.split(', ')[0]}, `;
  return [...declaredCells].some(
    ([cell, outcome]) => cell.startsWith(prefix) && outcome !== 'nothing' && rankOutcome(outcome) === ALLOWED,
  );
}
