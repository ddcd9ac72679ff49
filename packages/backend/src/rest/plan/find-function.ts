import type { CallArguments } from '../parse/parse-payload.ts';
import { functionAmbiguous, functionNotFound } from '../rest-errors.ts';
import type { RestFunction, SchemaCache } from '../schema/schema-cache.ts';
import { closestName } from './closest-name.ts';

export interface FunctionCall extends Pick<CallArguments, 'names' | 'rawType'> {
  name: string;
}

/**
 * Returns the overload that has all arguments of the call as parameters and whose required parameters are all in the
 * call. Otherwise returns the overload with a single unnamed parameter that takes the whole body.
 * @throws ApiError PGRST202 if no overload matches, PGRST203 if several match
 */
export function findFunction(schema: SchemaCache, call: FunctionCall): RestFunction {
  const overloads = schema.functions.get(call.name) ?? [];
  const named = overloads.filter((candidate) => takesArguments(candidate, call));
  const found = named.length > 0 ? named : overloads.filter((candidate) => takesBody(candidate, call));
  const [first, ...others] = found;
  if (!first) throw notFound(schema, call, overloads);
  if (others.length > 0) throw functionAmbiguous(found.map(signature));
  return first;
}

/** Returns whether the only parameter is unnamed. */
export function hasUnnamedParameter({ parameters }: RestFunction): boolean {
  return parameters.length === 1 && parameters[0]?.name === '';
}

/**
 * Returns whether the function takes these arguments. An unnamed parameter has the name '', which a body can use as a
 * key. It can be omitted if it has a default.
 */
function takesArguments({ parameters }: RestFunction, { names: given, rawType }: FunctionCall): boolean {
  if (parameters.length === 0) return given.length === 0 && (rawType === null || rawType === 'json');
  return (
    given.every((name) => parameters.some((parameter) => parameter.name === name)) &&
    parameters.every(({ name, isRequired }) => !isRequired || given.includes(name))
  );
}

/** Returns whether the function takes the whole body, regardless of its keys. */
function takesBody(candidate: RestFunction, { rawType }: FunctionCall): boolean {
  const type = candidate.parameters[0]?.type;
  if (!hasUnnamedParameter(candidate) || rawType === null) return false;
  return rawType === 'json' ? type === 'json' || type === 'jsonb' : type === rawType;
}

function signature({ schema, name, parameters }: RestFunction): string {
  return `${schema}.${name}(${parameters.map(({ name: parameter, type }) => `${parameter} => ${type}`).join(', ')})`;
}

function notFound(schema: SchemaCache, call: FunctionCall, overloads: readonly RestFunction[]): Error {
  const { rawType } = call;
  const name = `${schema.name}.${call.name}`;
  const given = [...call.names].sort();
  const isRaw = rawType !== null && rawType !== 'json';
  const list = given.join(', ');
  const inMessage = isRaw ? '' : given.length === 0 ? ' without parameters' : `(${list})`;
  const withParameters =
    given.length === 0 ? ' without parameters' : ` with parameter${given.length > 1 ? 's' : ''} ${list}`;
  const searched = isRaw ? ` with a single unnamed ${rawType} parameter` : withParameters;
  const orBody = rawType === 'json' ? ' or with a single unnamed json/jsonb parameter' : '';
  return functionNotFound(
    `Could not find the function ${name}${inMessage} in the schema cache`,
    `Searched for the function ${name}${searched}${orBody}, but no matches were found in the schema cache.`,
    isRaw ? null : suggestion(schema, call.name, given, overloads),
  );
}

function suggestion(
  schema: SchemaCache,
  name: string,
  given: readonly string[],
  overloads: readonly RestFunction[],
): string | null {
  const listed = (names: readonly string[]) => `(${[...names].sort().join(', ')})`;
  const known = overloads.map(({ parameters }) => listed(parameters.map((parameter) => parameter.name)));
  // A function of that name with an unnamed row parameter is suggested, though it cannot be called.
  if (schema.computed.has(name)) known.push(listed(['']));
  const meant = known.length === 0 ? closestName(name, schema.functions.keys()) : closestName(listed(given), known);
  if (meant === null) return null;
  return `Perhaps you meant to call the function ${schema.name}.${known.length === 0 ? meant : name + meant}`;
}
