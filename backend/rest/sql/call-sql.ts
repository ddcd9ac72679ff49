/** A function call as the rows that the answer is read from. */
import { hasUnnamedParameter } from '../plan/find-function.ts';
import type { RestFunction } from '../schema/schema-cache.ts';
import { inPublic, type Parameters, quoteIdentifier } from './sql-text.ts';

/** The column in which a value that is no row is found. */
export const SCALAR = '"value"';

/** `json` holds the arguments as an object, or is the body itself for a single unnamed parameter. */
export function callSql(called: RestFunction, given: readonly string[], json: string, parameters: Parameters): string {
  const name = inPublic(called.name);
  const alias = called.returns === 'row' ? '"__call"' : SCALAR;
  const selected = called.returns === 'row' ? '"__call".*' : `${SCALAR} as ${SCALAR}`;
  if (hasUnnamedParameter(called)) {
    return `select ${selected} from ${name}(${parameters.add(json)}::${called.parameters[0]?.type}) as ${alias}`;
  }
  const used = called.parameters.filter((parameter) => given.includes(parameter.name));
  if (used.length === 0) return `select ${selected} from ${name}() as ${alias}`;
  const definitions = used.map((one) => `${quoteIdentifier(one.name)} ${one.type}`).join(', ');
  const passed = used.map((one) => {
    const argument = quoteIdentifier(one.name);
    return `${one.isVariadic ? 'variadic ' : ''}${argument} => "__arguments".${argument}`;
  });
  return (
    `select ${selected} from json_to_record(${parameters.add(json)}::json) as "__arguments" (${definitions}), ` +
    `lateral ${name}(${passed.join(', ')}) as ${alias}`
  );
}
