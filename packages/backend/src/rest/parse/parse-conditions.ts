import { parseField, parseJsonPath } from './parse-field.ts';
import type { AtPath, Comparison, Condition, Field, Filter, Operation } from './query-types.ts';
import { Scanner } from './scanner.ts';

const COMPARISONS: ReadonlySet<string> = new Set<Comparison>([
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxr',
  'nxl',
  'adj',
  'isdistinct',
]);
const QUANTIFIABLE: ReadonlySet<string> = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch']);
const QUANTIFIERS = ['any', 'all'] as const;
const IS_VALUES = ['not_null', 'null', 'unknown', 'true', 'false'] as const;
const SEARCHES = ['fts', 'plfts', 'phfts', 'wfts'] as const;

/** Deeper nesting is rejected before it can overflow the stack. */
const MAX_DEPTH = 50;

/** Returns whether a parameter of a function call is a filter of its result. Otherwise it is an argument. */
export function looksLikeFilter(value: string): boolean {
  const [head = '', ...operandParts] = value.split('.');
  if (operandParts.length === 0) return false;
  if (head === 'not' || head === 'is' || head === 'in') return true;
  const operator = head.replace(/\(.*$/s, '');
  return isComparison(operator) || isSearch(operator);
}

function isSearch(word: string): word is (typeof SEARCHES)[number] {
  return SEARCHES.some((operator) => operator === word);
}

function isComparison(word: string): word is Comparison {
  return COMPARISONS.has(word);
}

/** Parses a parameter name such as `a.b.column->key`: the path of embedded resources, and the column. */
export function parsePath(text: string): { path: string[]; field: Field } {
  const scanner = new Scanner(text, `failed to parse tree path (${text})`);
  const names = [scanner.name()];
  while (scanner.consume('.')) names.push(scanner.name());
  const jsonPath = parseJsonPath(scanner);
  scanner.expectEnd();
  return { path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path: jsonPath } };
}

/** Parses a parameter such as `price=gt.10` or `author.name=not.in.(a,b)`. */
export function parseFilter(key: string, value: string): AtPath<Filter> {
  const { path, field } = parsePath(key);
  const scanner = new Scanner(value, `failed to parse filter (${value})`);
  const { isNegated, operation } = parseOperation(scanner, () => scanner.rest());
  scanner.expectEnd();
  return { path, value: { kind: 'filter', field, isNegated, operation } };
}

/** Parses a parameter such as `or=(a.eq.1,not.and(b.lt.2,c.is.null))` or `author.not.or=(…)`. */
export function parseLogic(key: string, value: string): AtPath<Condition> {
  const { path, field } = parsePath(key);
  const isNegated = path.includes('not');
  const scanner = new Scanner(value, `failed to parse logic tree (${value})`);
  const operator = field.name === 'or' ? 'or' : 'and';
  const operands = parseOperands(scanner, 0);
  scanner.expectEnd();
  return { path: path.filter((name) => name !== 'not'), value: { kind: 'group', operator, isNegated, operands } };
}

function parseOperands(scanner: Scanner, depth: number): Condition[] {
  if (depth > MAX_DEPTH) scanner.failWith(`conditions can be nested at most ${MAX_DEPTH} levels deep`);
  const operands: Condition[] = [];
  scanner.skipBlanks();
  scanner.expect('(');
  do {
    scanner.skipBlanks();
    operands.push(parseOperand(scanner, depth));
    scanner.skipBlanks();
  } while (scanner.consume(','));
  scanner.expect(')');
  scanner.skipBlanks();
  return operands;
}

function parseOperand(scanner: Scanner, depth: number): Condition {
  const group = scanner.match(/(not\.)?(and|or)[ \t]*(?=\()/y);
  if (group) {
    const operator = group[2] === 'or' ? 'or' : 'and';
    return { kind: 'group', operator, isNegated: group[1] !== undefined, operands: parseOperands(scanner, depth + 1) };
  }
  if (scanner.looksAt(')')) {
    scanner.fail('field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)');
  }
  const field = parseField(scanner);
  scanner.expect('.');
  return { kind: 'filter', field, ...parseOperation(scanner, () => parseNestedValue(scanner)) };
}

/** Parses a value in a logic tree. It ends at the next comma or bracket, unless it is quoted or an array literal. */
function parseNestedValue(scanner: Scanner): string {
  const quotedValue = scanner.attempt(() => {
    const text = scanner.quoted();
    return text !== null && isValueEnd(scanner) ? text : null;
  });
  if (quotedValue !== null) return quotedValue;
  const array = scanner.attempt(() => scanner.match(/\{[^{}]*\}/y)?.[0] ?? null);
  return array ?? scanner.match(/[^,)]*/y)?.[0] ?? '';
}

function isValueEnd(scanner: Scanner): boolean {
  return scanner.atEnd || scanner.looksAt(',') || scanner.looksAt(')');
}

function parseOperation(scanner: Scanner, parseValue: () => string): { isNegated: boolean; operation: Operation } {
  const isNegated = scanner.consume('not.');
  const word = scanner.match(/[a-z]+(?=[.(])/y)?.[0];
  if (word === undefined) return scanner.fail(`${isNegated ? '' : '"not" or '}operator (eq, gt, ...)`);
  if (word === 'in') {
    scanner.expect('.');
    return { isNegated, operation: { kind: 'in', values: parseList(scanner) } };
  }
  if (word === 'is') {
    scanner.expect('.');
    const keyword = scanner.match(/not_null|null|unknown|true|false/iy)?.[0].toLowerCase();
    const value = IS_VALUES.find((candidate) => candidate === keyword);
    if (value === undefined) return scanner.fail('isVal: (null, not_null, true, false, unknown)');
    return { isNegated, operation: { kind: 'is', value } };
  }
  if (isSearch(word)) {
    const language = scanner.consume('(') ? scanner.identifier() : null;
    if (language !== null) scanner.expect(')');
    scanner.expect('.');
    return { isNegated, operation: { kind: 'search', operator: word, language, value: parseValue() } };
  }
  if (!isComparison(word)) {
    scanner.consume('.');
    return scanner.failWith(`unknown single value operator ${word}`);
  }
  const quantifier = QUANTIFIABLE.has(word) ? QUANTIFIERS.find((name) => scanner.consume(`(${name})`)) : undefined;
  scanner.expect('.');
  return {
    isNegated,
    operation: { kind: 'compare', operator: word, quantifier: quantifier ?? null, value: parseValue() },
  };
}

/** Parses a list such as `(a,"b,c",d)`. `()` is the empty list. */
function parseList(scanner: Scanner): string[] {
  const values: string[] = [];
  scanner.skipBlanks();
  scanner.expect('(');
  if (scanner.consume(')')) return values;
  do {
    const quotedValue = scanner.attempt(() => {
      const text = scanner.quoted();
      return text !== null && isValueEnd(scanner) ? text : null;
    });
    values.push(quotedValue ?? scanner.match(/[^,)]*/y)?.[0] ?? '');
  } while (scanner.consume(','));
  scanner.expect(')');
  scanner.skipBlanks();
  return values;
}
