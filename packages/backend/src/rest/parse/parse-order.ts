import { parseField } from './parse-field.ts';
import type { OrderTerm } from './query-types.ts';
import { Scanner } from './scanner.ts';

/** Parses the order parameter, such as `rank.desc.nullslast,author(name)`. */
export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, `failed to parse order (${text})`);
  const terms: OrderTerm[] = [];
  do {
    scanner.skipBlanks();
    terms.push(parseTerm(scanner));
    scanner.skipBlanks();
  } while (scanner.consume(','));
  if (!scanner.atEnd) scanner.fail('"," or end of input');
  return terms;
}

function parseTerm(scanner: Scanner): OrderTerm {
  const relation = scanner.attempt(() => {
    const name = scanner.name();
    return scanner.consume('(') ? name : null;
  });
  const field = parseField(scanner);
  if (relation !== null) scanner.expect(')');
  const direction = (['asc', 'desc'] as const).find((word) => scanner.consume(`.${word}`));
  const nulls = (['first', 'last'] as const).find((word) => scanner.consume(`.nulls${word}`));
  if (scanner.consume('.')) {
    scanner.fail(`${direction ? '' : '"asc", "desc", '}"nullsfirst" or "nullslast"`);
  }
  return { relation, field, direction: direction ?? null, nulls: nulls ?? null };
}
