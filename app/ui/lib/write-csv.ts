type Cell = string | number | null | undefined;

/** Writes rows as CSV (RFC 4180). Used by all exports, so that no cell is evaluated as a formula. */
export function writeCsv(rows: Iterable<readonly Cell[]>): string {
  return Array.from(rows, (row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

/** Characters that start a formula in spreadsheets. Excel also accepts the full-width forms. */
const FORMULA = '=+\\-@\uFF1D\uFF0B\uFF0D\uFF20';

/**
 * Start of a formula at the start of the cell, or after a character that a spreadsheet may use as a delimiter. In many
 * countries, Excel splits at semicolons, even inside quotes.
 */
const FORMULA_START = new RegExp(`(^|[,;|\\t\\r\\n])([" ]*)(?=[${FORMULA}])`, 'g');

function csvField(value: Cell): string {
  const text = String(value ?? '')
    .replace(FORMULA_START, "$1$2'")
    .replace(/^(?=[\t\r])/, "'");
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
