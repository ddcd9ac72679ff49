export interface ForeignChange {
  column: string;
  theirs: string;
  yours: string;
}

/** Columns that move by themselves. */
const BOOKKEEPING = new Set(['updated_at', 'created_at']);

/** What somebody else changed between opening and saving, beside what would be saved now, as texts to read. */
export function changedByOthers(
  opened: Record<string, unknown>,
  current: Record<string, unknown>,
  mine: Record<string, unknown>,
): ForeignChange[] {
  return Object.keys(current)
    .filter((column) => !BOOKKEEPING.has(column) && asText(opened[column]) !== asText(current[column]))
    .map((column) => ({ column, theirs: asText(current[column]), yours: asText(mine[column] ?? opened[column]) }));
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join('\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
