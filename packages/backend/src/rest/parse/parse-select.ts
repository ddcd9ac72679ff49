import { parseField } from './parse-field.ts';
import type { Field, SelectEmbed, SelectField, SelectItem } from './query-types.ts';
import { Scanner } from './scanner.ts';

const AGGREGATES = ['avg', 'count', 'max', 'min', 'sum'] as const;

/** Deeper nesting is rejected, because each level can multiply the rows of the level above. */
const MAX_DEPTH = 10;

/** Parses the select parameter, such as `id,name:title,authors!inner(name),...city(*)`. */
export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, `failed to parse select parameter (${text})`);
  if (scanner.atEnd) return [];
  const items = parseItems(scanner, 0);
  scanner.expectEnd();
  return items;
}

const WHOLE_ROW: Field = { name: '*', path: [] };

function parseItems(scanner: Scanner, depth: number): SelectItem[] {
  if (depth > MAX_DEPTH) scanner.failWith(`resources can be embedded at most ${MAX_DEPTH} levels deep`);
  const items: SelectItem[] = [];
  do {
    scanner.skipBlanks();
    items.push(parseItem(scanner, depth));
    scanner.skipBlanks();
  } while (scanner.consume(','));
  return items;
}

function parseItem(scanner: Scanner, depth: number): SelectItem {
  if (scanner.consume('...')) return parseEmbed(scanner, null, true, depth);
  if (scanner.consume('*')) return { kind: 'field', field: WHOLE_ROW, alias: null, cast: null, aggregate: null };
  const alias = scanner.attempt(() => {
    const name = scanner.name();
    return scanner.looksAt('::') || !scanner.consume(':') ? null : name;
  });
  const start = scanner.position;
  const isCount = scanner.name() === 'count' && scanner.looksAt('()');
  const isEmbed = !isCount && (scanner.looksAt('(') || scanner.looksAt('!'));
  scanner.position = start;
  return isEmbed ? parseEmbed(scanner, alias, false, depth) : parseSelectField(scanner, alias);
}

function parseSelectField(scanner: Scanner, alias: string | null): SelectField {
  const isCount = scanner.consume('count()');
  const field = isCount ? WHOLE_ROW : parseField(scanner);
  const cast = isCount ? null : parseCast(scanner);
  const name = isCount ? 'count' : AGGREGATES.find((word) => scanner.consume(`.${word}()`));
  const aggregate = name === undefined ? null : { function: name, cast: parseCast(scanner) };
  if (!scanner.atEnd && !scanner.looksAt(',') && !scanner.looksAt(')')) {
    scanner.fail('"->>", "->", "::", ")", "," or end of input');
  }
  return { kind: 'field', field, alias, cast, aggregate };
}

function parseCast(scanner: Scanner): string | null {
  return scanner.consume('::') ? scanner.identifier() : null;
}

function parseEmbed(scanner: Scanner, alias: string | null, isSpread: boolean, depth: number): SelectEmbed {
  const relation = scanner.name();
  let hint: string | null = null;
  let join: SelectEmbed['join'] = null;
  while (scanner.consume('!')) {
    const parameter = scanner.name();
    if (parameter === 'inner' || parameter === 'left') join ??= parameter;
    else hint ??= parameter;
  }
  scanner.expect('(');
  scanner.skipBlanks();
  const select = scanner.looksAt(')') ? [] : parseItems(scanner, depth + 1);
  scanner.expect(')');
  return { kind: 'embed', relation, alias, hint, join, isSpread, select };
}
