/**
 * All errors of the table API that do not come from Postgres, with PostgREST's codes, statuses and messages
 * (https://docs.postgrest.org/en/stable/references/errors.html). The codes PGRST19x are our own, for limits that
 * PostgREST leaves to a proxy.
 */
import { ApiError } from '../http/api-error.ts';
import type { IdentityError } from '../http/identity.ts';

/** An ApiError whose details may be structured, as for PGRST201. */
export class RestError extends ApiError {
  readonly structuredDetails: readonly object[] | null;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { details?: string | readonly object[] | null; hint?: string | null } = {},
  ) {
    const { details = null, hint = null } = options;
    super(status, code, message, { details: typeof details === 'string' ? details : null, hint });
    this.structuredDetails = typeof details === 'object' ? details : null;
  }
}

export function unparsableParameter(problem: string, column: number, details: string): RestError {
  return new RestError(400, 'PGRST100', `"${problem}" (line 1, column ${column})`, { details });
}

export function methodNotForFunctions(method: string): RestError {
  return new RestError(405, 'PGRST101', `Cannot use the ${method} method on RPC`);
}

export function invalidBody(message: string): RestError {
  return new RestError(400, 'PGRST102', message);
}

export function rangeNotSatisfiable(details: string): RestError {
  return new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details });
}

export function invalidPutFilters(): RestError {
  return new RestError(405, 'PGRST105', "Filters must include all and only primary key columns with 'eq' operators");
}

export function schemaNotExposed(schema: string, exposed: readonly string[]): RestError {
  return new RestError(406, 'PGRST106', `Invalid schema: ${schema}`, {
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  });
}

export function mediaTypeNotAvailable(mediaTypes: readonly string[]): RestError {
  return new RestError(406, 'PGRST107', `None of these media types are available: ${mediaTypes.join(', ')}`);
}

export function notEmbedded(resource: string): RestError {
  return new RestError(400, 'PGRST108', `'${resource}' is not an embedded resource in this request`, {
    hint: `Verify that '${resource}' is included in the 'select' query parameter.`,
  });
}

export function limitNotAllowedForPut(): RestError {
  return new RestError(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT');
}

export function putKeyMismatch(): RestError {
  return new RestError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)');
}

export function notASingleRow(rows: number): RestError {
  return new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });
}

export function methodNotSupported(method: string): RestError {
  return new RestError(405, 'PGRST117', `Unsupported HTTP method: ${method}`);
}

export function orderByManyNotPossible(origin: string, target: string): RestError {
  return new RestError(400, 'PGRST118', `A related order on '${target}' is not possible`, {
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  });
}

export function operatorNotForEmbeds(target: string): RestError {
  return new RestError(400, 'PGRST120', `Bad operator on the '${target}' embedded resource`, {
    details: 'Only is null or not is null filters are allowed on embedded resources',
  });
}

export function invalidPreferences(preferences: readonly string[]): RestError {
  return new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
    details: `Invalid preferences: ${preferences.join(', ')}`,
  });
}

export function aggregatesNotAllowed(): RestError {
  return new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed');
}

export function tooManyAffected(rows: number): RestError {
  return new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
    details: `The query affects ${rows} rows`,
  });
}

export function invalidPath(): RestError {
  return new RestError(404, 'PGRST125', 'Invalid path specified in request URL');
}

export function rootNotAvailable(): RestError {
  return new RestError(404, 'PGRST126', 'Root endpoint metadata is disabled');
}

export function notImplemented(details: string): RestError {
  return new RestError(400, 'PGRST127', 'Feature not implemented', { details });
}

export function maxAffectedNeedsRows(): RestError {
  return new RestError(
    400,
    'PGRST128',
    'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  );
}

/** `noun` is a plural, such as "filters". */
export function limitExceeded(noun: string, limit: number, role: string): RestError {
  return new RestError(400, 'PGRST190', `The request has too many ${noun}`, {
    details: `At most ${limit} are allowed for the role ${role}.`,
    hint: 'Send several smaller requests instead.',
  });
}

export function regexNotAllowed(operator: string): RestError {
  return new RestError(400, 'PGRST191', `The operator '${operator}' is not available`, {
    details: 'Only the service role may use regular expressions, unless REST_REGEX_FILTERS is on.',
    hint: "Use 'like' or 'ilike'.",
  });
}

export function bodyTooLarge(maxBytes: number): RestError {
  return new RestError(413, 'PGRST192', 'The request body is too large', {
    details: `At most ${maxBytes} bytes are allowed.`,
  });
}

export function responseTooLarge(maxBytes: number): RestError {
  return new RestError(400, 'PGRST193', 'The response is too large', {
    details: `At most ${maxBytes} bytes are allowed.`,
    hint: 'Request fewer columns, or fewer rows with limit and offset.',
  });
}

/** The response has a Retry-After header. */
export class DatabaseTimeSpentError extends RestError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(429, 'PGRST194', 'Your network has used too much database time', {
      details: `Please try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function urlTooLong(maxCharacters: number): RestError {
  return new RestError(414, 'PGRST195', 'The request URL is too long', {
    details: `At most ${maxCharacters} characters are allowed.`,
    hint: 'Send function arguments in a POST body.',
  });
}

export function tooManyBodies(): RestError {
  return new RestError(503, 'PGRST196', 'Too many large requests are being processed', {
    details: 'Not enough memory for the request body.',
    hint: 'Retry in a moment, or send smaller requests.',
  });
}

export function searchNotIndexed(column: string, role: string): RestError {
  return new RestError(400, 'PGRST197', `No index supports this full-text search of '${column}'`, {
    details: `The role ${role} may search tsvector columns, and text columns with an index for the requested text search configuration.`,
    hint: "Search a column of type tsvector, or use 'ilike'.",
  });
}

export function tooManyResponses(): RestError {
  return new RestError(503, 'PGRST196', 'Too many large responses have not been read yet', {
    details: 'Not enough memory for another response.',
    hint: 'Read the earlier responses first, or request fewer rows.',
  });
}

export function relationshipNotFound(
  schema: string,
  [parent, child]: readonly [string, string],
  embedHint: string | null,
  hint: string | null,
): RestError {
  const using = embedHint === null ? '' : `' using the hint '${embedHint}`;
  return new RestError(
    400,
    'PGRST200',
    `Could not find a relationship between '${parent}' and '${child}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${parent}' and '${child}${using}' in the schema '${schema}', but no matches were found.`,
      hint,
    },
  );
}

export function relationshipAmbiguous(
  parent: string,
  child: string,
  details: readonly object[],
  alternatives: readonly string[],
): RestError {
  return new RestError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${parent}' and '${child}'`,
    {
      details,
      hint: `Try changing '${child}' to one of the following: ${alternatives.map((name) => `'${name}'`).join(', ')}. Find the desired relationship in the 'details' key.`,
    },
  );
}

export function functionNotFound(message: string, details: string, hint: string | null): RestError {
  return new RestError(404, 'PGRST202', message, { details, hint });
}

export function functionAmbiguous(candidates: readonly string[]): RestError {
  return new RestError(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${candidates.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  );
}

export function columnNotFound(table: string, column: string): RestError {
  return new RestError(400, 'PGRST204', `Could not find the '${column}' column of '${table}' in the schema cache`);
}

export function tableNotFound(schema: string, table: string, suggestion: string | null): RestError {
  return new RestError(404, 'PGRST205', `Could not find the table '${schema}.${table}' in the schema cache`, {
    hint: suggestion === null ? null : `Perhaps you meant the table '${schema}.${suggestion}'`,
  });
}

/** Hosted projects load pg-safeupdate, which rejects accidental changes to a whole table. */
export function missingFilter(kind: 'update' | 'delete'): RestError {
  return new RestError(400, '21000', `${kind.toUpperCase()} requires a WHERE clause`);
}

export function invalidIdentity({ fault, message }: IdentityError): RestError {
  return new RestError(401, fault === 'expired' ? 'PGRST303' : 'PGRST301', message);
}
