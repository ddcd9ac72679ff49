/** SQL of a function call as a source of rows. */
import type { CallArguments } from '../parse/parse-payload.ts';
import { hasUnnamedParameter } from '../plan/find-function.ts';
import type { Parameter, RestFunction } from '../schema/schema-cache.ts';
import { type Parameters, qualifiedName, quoteIdentifier } from './sql-text.ts';

/** Alias and column of a scalar result. */
export const SCALAR = '"value"';

export function callSql(fn: RestFunction, args: CallArguments, parameters: Parameters): string {
  const name = qualifiedName(fn);
  const alias = fn.returns === 'row' ? '"__call"' : SCALAR;
  const selected = fn.returns === 'row' ? '"__call".*' : `${SCALAR} as ${SCALAR}`;
  if (hasUnnamedParameter(fn)) {
    return `select ${selected} from ${name}(${parameters.add(args.body)}::${fn.parameters[0]?.type}) as ${alias}`;
  }
  const inputs = fn.parameters.filter((parameter) => args.names.includes(parameter.name));
  if (args.pairs !== null || inputs.length === 0) {
    const argumentSql = inputs.map((argument) => `${target(argument)} ${textSql(argument, args, parameters)}`);
    return `select ${selected} from ${name}(${argumentSql.join(', ')}) as ${alias}`;
  }
  const definitions = inputs.map(({ name, type }) => `${quoteIdentifier(name)} ${unlimited(type)}`).join(', ');
  const argumentSql = inputs.map((argument) => `${target(argument)} "__arguments".${quoteIdentifier(argument.name)}`);
  return (
    `select ${selected} from json_to_record(${parameters.add(args.body)}::json) as "__arguments" (${definitions}), ` +
    `lateral ${name}(${argumentSql.join(', ')}) as ${alias}`
  );
}

function target({ name, isVariadic }: Parameter): string {
  return `${isVariadic ? 'variadic ' : ''}${quoteIdentifier(name)} =>`;
}

/**
 * Returns the SQL of a text argument. A variadic argument may be repeated. For other arguments, the last value is used.
 */
function textSql({ name, type, isVariadic }: Parameter, { pairs }: CallArguments, parameters: Parameters): string {
  const values = (pairs ?? []).filter(([key]) => key === name).map(([, value]) => value);
  return `${parameters.add(isVariadic ? values : (values.at(-1) ?? null))}::${unlimited(type)}`;
}

/** Returns the type without a length limit: in a cast, `character` or `bit` means a single character or bit. */
function unlimited(type: string): string {
  return type.replace(/^(character|bit)(?=$|\[)/, '$1 varying');
}
