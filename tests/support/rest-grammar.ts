/**
 * Generates random requests that the table API's parser accepts. They combine the real schema with hostile values.
 * Equal seeds generate equal requests.
 */
import type {
  Column,
  Relationship,
  RestFunction,
  SchemaCache,
  Table,
} from '../../packages/backend/src/rest/schema/schema-cache.ts';

export interface GrammarRequest {
  method: string;
  /** Path below /rest/v1/. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Returns a random integer from 0 to `limit` - 1. */
export type Random = (limit: number) => number;

/** Creates a mulberry32 generator, which is short and random enough to reach every branch. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % limit;
  };
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

function repeatRandomly<T>(random: Random, max: number, make: () => T): T[] {
  return Array.from({ length: random(max + 1) }, make);
}

const ID = '00000000-0000-4000-8000-000000000001';

const HOSTILE = [
  ...['', ' ', '0', '-1', '1', '2147483648', '9'.repeat(30), '1e309', 'NaN', 'Infinity', '0x1F', '1.5', 'null', 'true'],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '\u2028',
    '😀',
    'é'.repeat(300),
    'x'.repeat(5000),
    '\\',
    '\\\\',
    "'",
    '"',
    '""',
  ],
  ...[
    '{',
    '}',
    '{}',
    '{a,b}',
    '{"a":1}',
    '{{1},{2}}',
    '[]',
    '[1]',
    '[1,2)',
    '(,)',
    '{NULL}',
    '{"\\u0000"}',
    '"\\ud800"',
  ],
  ...[
    '*',
    '%',
    '%%%%',
    '_',
    '*a*b*',
    '\\%',
    'a\\',
    "';drop table posts;--",
    '$1',
    '$$',
    '%00',
    '%F0%9F',
    '1;2',
    '--',
    '/*',
  ],
  ...[
    'now',
    'infinity',
    '-infinity',
    '2026-02-30',
    '10000000-01-01',
    'epoch',
    '00:00:60',
    ID,
    `{${ID}}`,
    'posts',
    'admin',
  ],
  ...[
    'a & b',
    'a <-> b',
    '!',
    '&',
    'a:*',
    '(((',
    'constructor',
    '__proto__',
    'current_user',
    'public',
    'pg_catalog.now',
  ],
];
const NAMES = [
  'a',
  'A b',
  'é',
  '"q""t"',
  'constructor',
  '__proto__',
  'x'.repeat(70),
  '$1',
  'count',
  'value',
  '__row',
  '😀',
];
const TYPES = [
  'text',
  'int',
  'uuid',
  'json',
  'jsonb',
  'date',
  'timestamptz',
  'bool',
  'numeric',
  'regclass',
  'xml',
  'nope',
  'bytea',
];
const COMPARISONS = [
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'cs', 'cd', 'ov'],
  ...['sl', 'sr', 'nxr', 'nxl', 'adj', 'isdistinct'],
];
const QUANTIFIABLE = ['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'];
const SEARCHES = ['fts', 'plfts', 'phfts', 'wfts'];
const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max', 'median'];
const PLANS = [
  'plan',
  'plan+json',
  'plan+text;options=analyze|wal',
  'plan+json; for="text/csv"; options=verbose|buffers',
];
const PROFILES = ['public', 'public', 'extensions', 'auth', 'pg_catalog', '', 'constructor'];
const LANGUAGES = ['', '(english)', '(simple)', '(nope)', '(pg_catalog)'];

export class Grammar {
  readonly #schema: SchemaCache;
  readonly #random: Random;

  constructor(schema: SchemaCache, random: Random) {
    this.#schema = schema;
    this.#random = random;
  }

  request(): GrammarRequest {
    const isCall = this.#random(5) === 0;
    const request = isCall ? this.#call() : this.#table();
    return { ...request, headers: { ...this.#headers(), ...request.headers } };
  }

  #pick<T>(from: readonly T[]): T {
    return pick(this.#random, from);
  }

  #chance(outOf: number): boolean {
    return this.#random(outOf) === 0;
  }

  #table(): GrammarRequest {
    const table = this.#pick([...this.#schema.tables.values()]);
    const method = this.#pick(['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PATCH', 'PUT', 'DELETE']);
    const hasBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
    const parameters = this.#query(table);
    if (method === 'PUT') parameters.push(...table.primaryKey.map((name) => [name, `eq.${ID}`] as [string, string]));
    if (hasBody && this.#chance(4)) parameters.push(['columns', this.#columnNames(table)]);
    if (method === 'POST' && this.#chance(4)) parameters.push(['on_conflict', this.#columnNames(table)]);
    const path = `${encode(table.name)}?${search(parameters)}`;
    return { method, path, ...(hasBody ? this.#tableBody(table) : { headers: {}, body: null }) };
  }

  #call(): GrammarRequest {
    const target = this.#pick([...this.#schema.functions.values()].flat());
    const table = this.#schema.tables.get(target.returnTable ?? '');
    const parameters = this.#chance(2) ? [] : this.#query(table ?? toTable(target));
    const args = target.parameters.filter(({ isRequired }) => isRequired || this.#chance(2));
    const method = this.#pick(['POST', 'POST', 'GET', 'HEAD']);
    const path = `rpc/${encode(target.name)}`;
    if (method !== 'POST') {
      const argumentPairs = args.map(({ name }) => [name, this.#pick(HOSTILE)] as [string, string]);
      return { method, path: `${path}?${search([...argumentPairs, ...parameters])}`, headers: {}, body: null };
    }
    const body = JSON.stringify(Object.fromEntries(args.map(({ name, type }) => [name, this.#jsonValue(type)])));
    return { method, path: `${path}?${search(parameters)}`, headers: { 'content-type': 'application/json' }, body };
  }

  /** Returns select, filter, order and range parameters for the table and its embedded tables. */
  #query(table: Table): [string, string][] {
    const parameters: [string, string][] = [];
    const selected = this.#chance(4) ? null : this.#select(table, 0, '', parameters);
    if (selected !== null) parameters.push(['select', selected]);
    this.#constrain(table, '', parameters);
    return parameters;
  }

  #constrain(table: Table, path: string, parameters: [string, string][]): void {
    for (const _ of repeatRandomly(this.#random, 3, () => 0)) parameters.push(this.#condition(table, path));
    if (this.#chance(3)) parameters.push([`${path}order`, this.#order(table)]);
    if (this.#chance(3))
      parameters.push([`${path}limit`, this.#pick(['0', '1', '3', '1000000', '-1', 'x', '9'.repeat(18)])]);
    if (this.#chance(5)) parameters.push([`${path}offset`, this.#pick(['0', '1', '-1', '9'.repeat(18), '1e3'])]);
  }

  #select(table: Table, depth: number, path: string, parameters: [string, string][]): string {
    const items = [...repeatRandomly(this.#random, 4, () => this.#selectField(table))];
    if (depth < 4) {
      for (const _ of repeatRandomly(this.#random, depth === 0 ? 2 : 1, () => 0)) {
        const embed = this.#embed(table, depth, path, parameters);
        if (embed !== null) items.push(embed);
      }
    }
    return items.join(',') || this.#pick(['*', 'id', '']);
  }

  #selectField(table: Table): string {
    if (this.#chance(4)) return '*';
    const alias = this.#chance(4) ? `${quoteName(this.#pick(NAMES))}:` : '';
    const cast = () => (this.#chance(5) ? `::${this.#pick(TYPES)}` : '');
    if (this.#chance(12)) return `${alias}count()${cast()}`;
    const aggregate = this.#chance(6) ? `.${this.#pick(AGGREGATES)}()${cast()}` : '';
    return `${alias}${this.#field(table)}${cast()}${aggregate}`;
  }

  #field(table: Table): string {
    const names = [...table.columns.keys()];
    const name = names.length === 0 || this.#chance(20) ? this.#pick(NAMES) : this.#pick(names);
    const steps = this.#chance(5)
      ? repeatRandomly(
          this.#random,
          3,
          () => `${this.#pick(['->', '->>'])}${this.#pick(['0', '-1', 'a', '"b c"', '9'.repeat(9), 'é'])}`,
        )
      : [];
    return quoteName(name) + steps.join('');
  }

  #embed(table: Table, depth: number, path: string, parameters: [string, string][]): string | null {
    const relationship = this.#pick(this.#schema.relationships.get(table.name) ?? [null as Relationship | null]);
    const target = relationship && this.#schema.tables.get(relationship.foreignTable);
    if (!relationship || !target) return null;
    const alias = this.#chance(3) ? this.#pick(['e', 'f', 'constructor']) : null;
    const relation = relationship.computedBy ?? relationship.foreignTable;
    const hintName = relationship.junction?.table.name ?? relationship.computedBy ?? relationship.constraint;
    const hint = this.#chance(2) ? `!${hintName}` : '';
    const join = this.#pick(['', '', '!inner', '!left']);
    const spread = this.#chance(5) ? '...' : '';
    const key = `${path}${alias ?? relation}`;
    const inner = this.#chance(8) ? '' : this.#select(target, depth + 1, `${key}.`, parameters);
    if (this.#chance(2)) this.#constrain(target, `${key}.`, parameters);
    if (this.#chance(6)) parameters.push([key, this.#pick(['is.null', 'not.is.null', 'eq.1'])]);
    return `${spread}${alias !== null && spread === '' ? `${alias}:` : ''}${relation}${hint}${join}(${inner})`;
  }

  #condition(table: Table, path: string): [string, string] {
    if (this.#chance(4))
      return [`${path}${this.#pick(['or', 'and', 'not.or', 'not.and'])}`, `(${this.#operands(table, 0)})`];
    return [`${path}${this.#field(table)}`, this.#operation((value) => value)];
  }

  #operands(table: Table, depth: number): string {
    const operands = repeatRandomly(this.#random, 3, () => this.#operand(table, depth));
    return operands.join(',') || `${this.#field(table)}.is.null`;
  }

  #operand(table: Table, depth: number): string {
    if (depth < 4 && this.#chance(4)) {
      return `${this.#pick(['or', 'and', 'not.or', 'not.and'])}(${this.#operands(table, depth + 1)})`;
    }
    return `${this.#field(table)}.${this.#operation(quoteValue)}`;
  }

  #operation(write: (value: string) => string): string {
    const negation = this.#chance(5) ? 'not.' : '';
    const value = () => this.#pick(HOSTILE);
    switch (this.#random(8)) {
      case 0:
        return `${negation}is.${this.#pick(['null', 'not_null', 'true', 'false', 'unknown'])}`;
      case 1:
        return `${negation}in.(${repeatRandomly(this.#random, 4, () => quoteValue(value())).join(',')})`;
      case 2:
        return `${negation}${this.#pick(SEARCHES)}${this.#pick(LANGUAGES)}.${write(value())}`;
      case 3:
        return `${negation}${this.#pick(QUANTIFIABLE)}(${this.#pick(['any', 'all'])}).${write(this.#pick(['{a,b}', '{}', '{"x,y"}', '{{1}}', value()]))}`;
      default:
        return `${negation}${this.#pick(COMPARISONS)}.${write(value())}`;
    }
  }

  #order(table: Table): string {
    const terms = repeatRandomly(this.#random, 3, () => {
      const relationship = this.#chance(6) ? this.#pick(this.#schema.relationships.get(table.name) ?? []) : undefined;
      const target = this.#schema.tables.get(relationship?.foreignTable ?? '');
      const relation = relationship?.computedBy ?? target?.name;
      const field = target ? `${relation}(${this.#field(target)})` : this.#field(table);
      return `${field}${this.#pick(['', '.asc', '.desc'])}${this.#pick(['', '.nullsfirst', '.nullslast'])}`;
    });
    return terms.join(',') || this.#field(table);
  }

  #columnNames(table: Table): string {
    return repeatRandomly(this.#random, 3, () => quoteName(this.#pick([...table.columns.keys()]))).join(',') || 'id';
  }

  #tableBody(table: Table): Pick<GrammarRequest, 'headers' | 'body'> {
    const columns = repeatRandomly(this.#random, 5, () => this.#pick([...table.columns.values()]));
    const row = () => Object.fromEntries(columns.map((column) => [column.name, this.#columnValue(column)]));
    switch (this.#random(8)) {
      case 0: {
        const lines = repeatRandomly(this.#random, 3, () => columns.map(() => csvValue(this.#pick(HOSTILE))).join(','));
        const body = [columns.map(({ name }) => csvValue(name)).join(','), ...lines].join('\n');
        return { headers: { 'content-type': 'text/csv' }, body };
      }
      case 1:
        return {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: search(columns.map(({ name }) => [name, this.#pick(HOSTILE)])),
        };
      case 2:
        return json(JSON.stringify(repeatRandomly(this.#random, 4, row)));
      case 3:
        return json(
          this.#pick([
            '',
            'null',
            '1',
            '"x"',
            '[[]]',
            '{"a":"\\u0000"}',
            '{"a":"\\ud800"}',
            '[{},{}]',
            '[]',
            '{',
            '\0',
          ]),
        );
      default:
        return json(JSON.stringify(row()));
    }
  }

  #columnValue({ baseType, enumValues }: Column): unknown {
    return enumValues && this.#chance(2) ? this.#pick(enumValues) : this.#jsonValue(baseType);
  }

  /** Returns a value that has the right type half of the time, so that some statements get past the type cast. */
  #jsonValue(type: string): unknown {
    if (this.#chance(2)) return this.#pick([...HOSTILE, null, 1, -1, 1.5, 1e300, true, [], {}, [null], { a: ['\0'] }]);
    if (type === 'uuid') return this.#pick([ID, ID.replace('1', '2')]);
    if (type.endsWith('[]')) return this.#pick([[], ['a'], [ID]]);
    if (/int|numeric|double|real/.test(type)) return this.#random(10);
    if (type === 'boolean') return this.#chance(2);
    if (type.startsWith('timestamp') || type === 'date') return '2026-01-02T03:04:05Z';
    return type.startsWith('json') ? [{ url: 'x' }] : `text ${this.#random(5)}`;
  }

  #headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    const preferences = [
      ...[
        'return=representation',
        'return=minimal',
        'return=headers-only',
        'count=exact',
        'count=planned',
        'count=estimated',
      ],
      ...[
        'resolution=merge-duplicates',
        'resolution=ignore-duplicates',
        'missing=default',
        'missing=null',
        'tx=rollback',
        'tx=commit',
      ],
      ...['handling=strict', 'handling=lenient', 'max-affected=0', 'max-affected=1', 'max-affected=x', 'nonsense'],
    ];
    if (this.#chance(2)) headers['prefer'] = repeatRandomly(this.#random, 4, () => this.#pick(preferences)).join(', ');
    if (this.#chance(4)) {
      const vendored = ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.array+json;nulls=stripped'];
      headers['accept'] = this.#pick(['*/*', 'application/json', 'text/csv', 'image/png', 'a/b;q=x', ...vendored]);
    }
    if (this.#chance(20)) headers['accept'] = `application/vnd.pgrst.${this.#pick(PLANS)}`;
    if (this.#chance(20)) headers['accept'] = 'application/geo+json';
    if (this.#chance(12)) headers['accept-profile'] = this.#pick(PROFILES);
    if (this.#chance(12)) headers['content-profile'] = this.#pick(PROFILES);
    if (this.#chance(8)) headers['range'] = this.#pick(['0-1', '5-2', '1-', '99999999999-', 'x', '-']);
    if (this.#chance(20)) headers['accept-profile'] = this.#pick(['public', 'auth', 'x']);
    if (this.#chance(4)) headers['x-conversation-id'] = this.#pick([ID, 'x', '', `${ID}'`, '{', 'é']);
    return headers;
  }
}

function json(body: string): Pick<GrammarRequest, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body };
}

/** Describes a function's result as a table if the function does not return one. */
function toTable({ schema, name, columns }: RestFunction): Table {
  const columnEntries = columns.map((column) => [
    column.name,
    { ...column, baseType: column.type, defaultSql: null, nullable: true, isGenerated: false, enumValues: null },
  ]);
  return {
    schema,
    name,
    isView: true,
    isInsertable: false,
    isUpdatable: false,
    columns: new Map(columnEntries as [string, Column][]),
    primaryKey: [],
  };
}

function quoteName(name: string): string {
  return /^[\w$]+$/.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
}

function quoteValue(value: string): string {
  return /^[\w*%-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

function csvValue(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function search(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** Replaces lone surrogates before encoding, because encodeURIComponent throws for them. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
