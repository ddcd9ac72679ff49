/**
 * The table API at /rest/v1, compatible with PostgREST (https://docs.postgrest.org). The folders parse, plan, sql and
 * respond contain the steps of a request.
 */
import type { BackendContext, Service } from '../context.ts';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../database/operator-error.ts';
import { getAccountId, type RequestIdentity } from '../database/request-role.ts';
import { type BufferedBody, bufferBody } from '../http/buffered-body.ts';
import { type Client, limitDatabaseTime } from '../http/database-time.ts';
import { callFunction } from './call-function.ts';
import { databaseFor } from './caller-database.ts';
import { describeSchema } from './describe-schema.ts';
import { API_PATH, parseRequest } from './parse/parse-request.ts';
import { readBody } from './parse/read-body.ts';
import { readTable } from './read-table.ts';
import { limitsFor } from './request-limits.ts';
import { errorResponse } from './respond/error-response.ts';
import type { RestCall } from './rest-call.ts';
import { DatabaseTimeSpentError, schemaNotExposed, urlTooLong } from './rest-errors.ts';
import { watchSchemaCaches } from './schema/watch-schema-cache.ts';
import { quoteIdentifier } from './sql/sql-text.ts';
import { writeTable } from './write-table.ts';

/** @throws OperatorError if a schema in REST_SCHEMAS does not exist */
async function requireSchemas(database: Database, schemas: readonly string[]): Promise<void> {
  const { rows } = await database.query<{ name: string }>('select nspname as name from pg_namespace');
  const missing = schemas.filter((schema) => !rows.some(({ name }) => name === schema));
  if (missing.length === 0) return;
  throw new OperatorError(`REST_SCHEMAS contains ${missing.join(' and ')}, but the database has no such schema.`);
}

/** Returns the search path as on hosted projects: the requested schema first. */
function formatSearchPath(schema: string): string {
  return [...new Set([schema, 'public', 'extensions'])].map(quoteIdentifier).join(', ');
}

/** Loads the schema caches, and reloads them on `notify pgrst, 'reload schema'`. */
export async function createRestService({ config, database, identify, memory, log }: BackendContext): Promise<Service> {
  const exposed = config.REST_SCHEMAS;
  await requireSchemas(database, exposed);
  const searchPaths = new Map(exposed.map((name) => [name, formatSearchPath(name)]));
  const schemas = await watchSchemaCaches(database, exposed, log);
  const time = config.RATE_LIMITS ? limitDatabaseTime((seconds) => new DatabaseTimeSpentError(seconds)) : null;

  /** @param client null for the service role and for pages rendered in this process, which are not charged */
  async function respond(
    request: Request,
    identity: RequestIdentity,
    client: Client | null,
    body: BufferedBody,
  ): Promise<Response> {
    const limits = limitsFor(identity.role, config);
    if (request.url.length > limits.urlLength) throw urlTooLong(limits.urlLength);
    if (client) time?.requireTime(client);
    const parsedRequest = parseRequest(request, { url: new URL(request.url), schemas: exposed, limits });
    const schema = (await schemas.current()).get(parsedRequest.schema);
    if (!schema) throw schemaNotExposed(parsedRequest.schema, exposed);
    const { signal } = request;
    const hasRoom = () => !client || memory.hasRoom(client.address);
    const searchPath = searchPaths.get(parsedRequest.schema) ?? '';
    const caller = { identity, client, signal, responseBytes: limits.responseBytes, hasRoom, searchPath };
    const call: RestCall = {
      request: parsedRequest,
      limits,
      schema,
      root: () => new URL(API_PATH, config.SITE_URL ?? request.url),
      database: databaseFor(caller, database, time),
      readBody: () => readBody(request, limits.bodyBytes, body),
    };
    if (call.request.target.kind === 'root') return describeSchema(call);
    if (call.request.target.kind === 'function') return callFunction(call);
    const isRead = call.request.method === 'GET' || call.request.method === 'HEAD';
    return isRead ? readTable(call) : writeTable(call);
  }

  return {
    routes: ['/rest/v1/', '/rest/v1/:table', '/rest/v1/rpc/:function'],
    async fetch(request, address) {
      let isAnonymous = true;
      try {
        const identity = { ...(await identify(request)), address: config.RATE_LIMITS ? address : undefined };
        isAnonymous = identity.role === 'anon';
        const isExempt = identity.role === 'service_role' || address === '';
        const client = isExempt ? null : { address, account: getAccountId(identity) };
        const body = bufferBody(request, isExempt ? '' : address, memory);
        try {
          return await respond(request, identity, client, body);
        } finally {
          body.release();
        }
      } catch (error) {
        return errorResponse(error, { isAnonymous, log, request });
      }
    },
    close: schemas.close,
  };
}
