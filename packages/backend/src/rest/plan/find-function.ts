import type { CallArguments } from '../parse/parse-payload.ts';
import { functionAmbiguous, functionNotFound } from '../rest-errors.ts';
import type { RestFunction, SchemaCache } from '../schema/schema-cache.ts';
import { closestName } from './closest-name.ts';

export interface FunctionCall extends Pick<CallArguments, 'names' | 'rawType'> {
  name: string;
}

/**
 * Returns the overload that has all arguments of the call as parameters and whose required parameters are all in the
 * call. Otherwise returns the overload with a single unnamed parameter for the whole body.
 * @throws ApiError PGRST202 if no overload matches, PGRST203 if several match
 */
export function findFunction(schema: SchemaCache, call: FunctionCall): RestFunction {
  const overloads = schema.functions.get(call.name) ?? [];
  const withNames = overloads.filter((candidate) => acceptsArguments(candidate, call));
  const matches = withNames.length > 0 ? withNames : overloads.filter((candidate) => acceptsBody(candidate, call));
  const [first, ...otherMatches] = matches;
  if (!first) throw notFoundError(schema, call, overloads);
  if (otherMatches.length > 0) throw functionAmbiguous(matches.map(signature));
  return first;
}

/** Returns whether the only parameter is unnamed. */
export function hasUnnamedParameter({ parameters }: RestFunction): boolean {
  return parameters.length === 1 && parameters[0]?.name === '';
}

/**
 * Returns whether the function accepts these arguments. A JSON body can set an unnamed parameter with the key ''. A
 * parameter with a default can be omitted.
 */
function acceptsArguments({ parameters }: RestFunction, { names: argumentNames, rawType }: FunctionCall): boolean {
  if (parameters.length === 0) return argumentNames.length === 0 && (rawType === null || rawType === 'json');
  return (
    argumentNames.every((name) => parameters.some((parameter) => parameter.name === name)) &&
    parameters.every(({ name, isRequired }) => !isRequired || argumentNames.includes(name))
  );
}

/** Returns whether the function accepts the whole body, regardless of its keys. */
function acceptsBody(candidate: RestFunction, { rawType }: FunctionCall): boolean {
  const type = candidate.parameters[0]?.type;
  if (!hasUnnamedParameter(candidate) || rawType === null) return false;
  return rawType === 'json' ? type === 'json' || type === 'jsonb' : type === rawType;
}

function signature({ schema, name, parameters }: RestFunction): string {
  return `${schema}.${name}(${parameters.map(({ name: parameter, type }) => `${parameter} => ${type}`).join(', ')})`;
}

function notFoundError(schema: SchemaCache, call: FunctionCall, overloads: readonly RestFunction[]): Error {
  const { rawType } = call;
  const name = `${schema.name}.${call.name}`;
  const names = [...call.names].sort();
  const isRawBody = rawType !== null && rawType !== 'json';
  const list = names.join(', ');
  const suffix = isRawBody ? '' : names.length === 0 ? ' without parameters' : `(${list})`;
  const parameterPhrase =
    names.length === 0 ? ' without parameters' : ` with parameter${names.length > 1 ? 's' : ''} ${list}`;
  const parameterDescription = isRawBody ? ` with a single unnamed ${rawType} parameter` : parameterPhrase;
  const bodyDescription = rawType === 'json' ? ' or with a single unnamed json/jsonb parameter' : '';
  return functionNotFound(
    `Could not find the function ${name}${suffix} in the schema cache`,
    `Searched for the function ${name}${parameterDescription}${bodyDescription}, but no matches were found in the schema cache.`,
    isRawBody ? null : suggestion(schema, call.name, names, overloads),
  );
}

function suggestion(
  schema: SchemaCache,
  name: string,
  names: readonly string[],
  overloads: readonly RestFunction[],
): string | null {
  const asList = (list: readonly string[]) => `(${[...list].sort().join(', ')})`;
  const lists = overloads.map(({ parameters }) => asList(parameters.map((parameter) => parameter.name)));
  // A function of that name with an unnamed row parameter is suggested, though it cannot be called.
  if (schema.computed.has(name)) lists.push(asList(['']));
  const closest = lists.length === 0 ? closestName(name, schema.functions.keys()) : closestName(asList(names), lists);
  if (closest === null) return null;
  return `Perhaps you meant to call the function ${schema.name}.${lists.length === 0 ? closest : name + closest}`;
}
