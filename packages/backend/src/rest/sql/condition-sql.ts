import type { Comparison, Condition, Field, Filter, Operation } from '../parse/query-types.ts';
import type { EmbedPlan, ReadPlan } from '../plan/plan-types.ts';
import { operatorNotForEmbeds } from '../rest-errors.ts';
import { type Parameters, quoteIdentifier } from './sql-text.ts';

const OPERATORS: Record<Comparison, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
  isdistinct: 'is distinct from',
};

const SEARCH_FUNCTIONS = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

const TRUTH_VALUES = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
};

/** Source of a condition's columns. */
export type ConditionScope = Pick<ReadPlan, 'alias' | 'columns'> & { embeds?: readonly EmbedPlan[] };

/** Returns ` where a and b`, or an empty text without conditions. */
export function whereSql(scope: ConditionScope, conditions: readonly Condition[], parameters: Parameters): string {
  if (conditions.length === 0) return '';
  return ` where ${conditions.map((condition) => conditionSql(scope, condition, parameters)).join(' and ')}`;
}

function conditionSql(scope: ConditionScope, condition: Condition, parameters: Parameters): string {
  if (condition.kind === 'filter') return filterSql(scope, condition, parameters);
  const operands = condition.operands.map((operand) => conditionSql(scope, operand, parameters));
  return `${condition.isNegated ? 'not ' : ''}(${operands.join(` ${condition.operator} `)})`;
}

function filterSql(scope: ConditionScope, filter: Filter, parameters: Parameters): string {
  const embed = filter.field.path.length === 0 ? scope.embeds?.find(({ key }) => key === filter.field.name) : undefined;
  if (embed && !scope.columns.has(filter.field.name)) return embedFilterSql(embed, filter);
  return `${filter.isNegated ? 'not ' : ''}${operationSql(scope, filter.field, filter.operation, parameters)}`;
}

/** `authors=not.is.null` keeps the rows with an author. */
function embedFilterSql(embed: EmbedPlan, { isNegated, operation }: Filter): string {
  if (operation.kind !== 'is' || (operation.value !== 'null' && operation.value !== 'not_null')) {
    throw operatorNotForEmbeds(embed.key);
  }
  const isNull = (operation.value === 'null') !== isNegated;
  return `${embedPresenceSql(embed)} is ${isNull ? 'not ' : ''}distinct from null`;
}

/** Returns an expression that is null if the embedded resource has no rows. */
export function embedPresenceSql(embed: EmbedPlan): string {
  return `${quoteIdentifier(embed.lateral)}."__present"`;
}

function operationSql(scope: ConditionScope, field: Field, operation: Operation, parameters: Parameters): string {
  const column = fieldSql(scope, field, parameters);
  switch (operation.kind) {
    case 'is':
      return `${column} ${TRUTH_VALUES[operation.value]}`;
    case 'in':
      return `${column} = any(${parameters.add(operation.values)})`;
    case 'search': {
      const language = configurationSql(scope, field, operation.language, parameters);
      const query = `${SEARCH_FUNCTIONS[operation.operator]}(${language}${parameters.add(operation.value)})`;
      return `${documentSql(scope, field, column, language)} @@ ${query}`;
    }
    case 'compare': {
      const isPattern = operation.operator === 'like' || operation.operator === 'ilike';
      const value = isPattern ? operation.value.replaceAll('*', '%') : operation.value;
      const placeholder = parameters.add(value);
      const operand = operation.quantifier === null ? placeholder : `${operation.quantifier}(${placeholder})`;
      return `${column} ${OPERATORS[operation.operator]} ${operand}`;
    }
  }
}

/**
 * Returns the text search configuration. It is a literal if an index uses it, because a generic plan cannot match a
 * parameter to the index.
 */
function configurationSql(
  scope: ConditionScope,
  field: Field,
  language: string | null,
  parameters: Parameters,
): string {
  if (language === null) return '';
  const isIndexed = scope.columns.get(field.name)?.indexedLanguages.includes(language) === true;
  return `${isIndexed ? `'${language}'` : parameters.add(language)}::regconfig, `;
}

/** Returns the tsvector to search. Text and JSON are converted with to_tsvector, in the requested language. */
function documentSql(scope: ConditionScope, field: Field, column: string, language: string): string {
  const isDocument = field.path.length === 0 && scope.columns.get(field.name)?.baseType === 'tsvector';
  return isDocument ? column : `to_tsvector(${language}${column})`;
}

/** Returns the SQL of a column or JSON path. */
export function fieldSql(scope: ConditionScope, field: Field, parameters: Parameters): string {
  const column = `${quoteIdentifier(scope.alias)}.${field.name === '*' ? '*' : quoteIdentifier(field.name)}`;
  if (field.path.length === 0) return column;
  const type = scope.columns.get(field.name)?.baseType;
  const json = type === 'json' || type === 'jsonb' ? column : `to_jsonb(${column})`;
  const steps = field.path.map(({ arrow, operand }) =>
    'key' in operand ? `${arrow}${parameters.add(operand.key)}::text` : `${arrow}${parameters.add(operand.index)}::int`,
  );
  return `(${json}${steps.join('')})`;
}
