/** A function call as the rows that the answer is read from. */
import { hasUnnamedParameter } from '../plan/find-function.ts';
import type { RestFunction } from '../schema/schema-cache.ts';
import { type Parameters, qualifiedName, quoteIdentifier } from './sql-text.ts';

/** The column in which a value that is no row is found. */
export const SCALAR = '"value"';

/** `body` holds the arguments as a JSON object, or is what a single unnamed parameter takes. */
export function callSql(
  called: RestFunction,
  given: readonly string[],
  body: string | Uint8Array | null,
  parameters: Parameters,
): string {
  const name = qualifiedName(called);
  const alias = called.returns === 'row' ? '"__call"' : SCALAR;
  const selected = called.returns === 'row' ? '"__call".*' : `${SCALAR} as ${SCALAR}`;
  if (hasUnnamedParameter(called)) {
    return `select ${selected} from ${name}(${parameters.add(body)}::${called.parameters[0]?.type}) as ${alias}`;
  }
  const used = called.parameters.filter((parameter) => given.includes(parameter.name));
  if (used.length === 0) return `select ${selected} from ${name}() as ${alias}`;
  const definitions = used.map((one) => `${quoteIdentifier(one.name)} ${one.type}`).join(', ');
  const passed = used.map((one) => {
    const argument = quoteIdentifier(one.name);
    return `${one.isVariadic ? 'variadic ' : ''}${argument} => "__arguments".${argument}`;
  });
  return (
    `select ${selected} from json_to_record(${parameters.add(body)}::json) as "__arguments" (${definitions}), ` +
    `lateral ${name}(${passed.join(', ')}) as ${alias}`
  );
}
