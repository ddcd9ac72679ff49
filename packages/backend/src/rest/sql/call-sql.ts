/** SQL of a function call as a source of rows. */
import type { CallArguments } from '../parse/parse-payload.ts';
import { hasUnnamedParameter } from '../plan/find-function.ts';
import type { Parameter, RestFunction } from '../schema/schema-cache.ts';
import { type Parameters, qualifiedName, quoteIdentifier } from './sql-text.ts';

/** Column of a result that is not a row. */
export const SCALAR = '"value"';

export function callSql(called: RestFunction, given: CallArguments, parameters: Parameters): string {
  const name = qualifiedName(called);
  const alias = called.returns === 'row' ? '"__call"' : SCALAR;
  const selected = called.returns === 'row' ? '"__call".*' : `${SCALAR} as ${SCALAR}`;
  if (hasUnnamedParameter(called)) {
    return `select ${selected} from ${name}(${parameters.add(given.body)}::${called.parameters[0]?.type}) as ${alias}`;
  }
  const used = called.parameters.filter((parameter) => given.names.includes(parameter.name));
  if (given.pairs !== null || used.length === 0) {
    const passed = used.map((argument) => `${target(argument)} ${textSql(argument, given, parameters)}`);
    return `select ${selected} from ${name}(${passed.join(', ')}) as ${alias}`;
  }
  const definitions = used.map(({ name, type }) => `${quoteIdentifier(name)} ${unlimited(type)}`).join(', ');
  const passed = used.map((argument) => `${target(argument)} "__arguments".${quoteIdentifier(argument.name)}`);
  return (
    `select ${selected} from json_to_record(${parameters.add(given.body)}::json) as "__arguments" (${definitions}), ` +
    `lateral ${name}(${passed.join(', ')}) as ${alias}`
  );
}

function target({ name, isVariadic }: Parameter): string {
  return `${isVariadic ? 'variadic ' : ''}${quoteIdentifier(name)} =>`;
}

/** Returns the SQL of a text argument. A variadic argument may be repeated. For others, the last value is used. */
function textSql({ name, type, isVariadic }: Parameter, { pairs }: CallArguments, parameters: Parameters): string {
  const values = (pairs ?? []).filter(([given]) => given === name).map(([, value]) => value);
  return `${parameters.add(isVariadic ? values : (values.at(-1) ?? null))}::${unlimited(type)}`;
}

/** Returns the type without a length limit: in a cast, `character` or `bit` means a single character or bit. */
function unlimited(type: string): string {
  return type.replace(/^(character|bit)(?=$|\[)/, '$1 varying');
}
