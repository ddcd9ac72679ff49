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
    const passed = used.map((one) => `${target(one)} ${textSql(one, given, parameters)}`);
    return `select ${selected} from ${name}(${passed.join(', ')}) as ${alias}`;
  }
  const definitions = used.map((one) => `${quoteIdentifier(one.name)} ${unlimited(one.type)}`).join(', ');
  const passed = used.map((one) => `${target(one)} "__arguments".${quoteIdentifier(one.name)}`);
  return (
    `select ${selected} from json_to_record(${parameters.add(given.body)}::json) as "__arguments" (${definitions}), ` +
    `lateral ${name}(${passed.join(', ')}) as ${alias}`
  );
}

function target({ name, isVariadic }: Parameter): string {
  return `${isVariadic ? 'variadic ' : ''}${quoteIdentifier(name)} =>`;
}

/** Returns the SQL of a text argument. A variadic one may be repeated. For others, the last value counts. */
function textSql({ name, type, isVariadic }: Parameter, { pairs }: CallArguments, parameters: Parameters): string {
  const values = (pairs ?? []).filter(([given]) => given === name).map(([, value]) => value);
  return `${parameters.add(isVariadic ? values : (values.at(-1) ?? null))}::${unlimited(type)}`;
}

/** Parameters have any length, but without a length these types mean a single character or bit. */
function unlimited(type: string): string {
  return type.replace(/^(character|bit)(?=$|\[)/, '$1 varying');
}
