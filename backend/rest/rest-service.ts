/**
 * The table API at /rest/v1, as PostgREST answers it (https://docs.postgrest.org): parse -> plan -> sql -> respond.
 */
import type { BackendContext, Service } from '../context.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { keepDatabaseTime } from '../http/database-time.ts';
import { callFunction } from './call-function.ts';
import { databaseFor } from './caller-database.ts';
import { countHeldBodies, type HeldBody } from './held-bodies.ts';
import { parseRequest } from './parse/parse-request.ts';
import { readBody } from './parse/read-body.ts';
import { readTable } from './read-table.ts';
import { limitsFor } from './request-limits.ts';
import { errorResponse } from './respond/error-response.ts';
import type { RestCall } from './rest-call.ts';
import { DatabaseTimeSpentError, urlTooLong } from './rest-errors.ts';
import { keepSchemaCache } from './schema/keep-schema-cache.ts';
import { writeTable } from './write-table.ts';

/** Loads the schema cache and keeps it current: `notify pgrst, 'reload schema'` loads it again. */
export async function createRestService({ config, database, identify, log }: BackendContext): Promise<Service> {
  const schema = await keepSchemaCache(database, log);
  const time = config.RATE_LIMITS ? keepDatabaseTime((seconds) => new DatabaseTimeSpentError(seconds)) : null;

  const bodies = countHeldBodies();

  /** `payer` is an address, or '' for the service and for pages that are rendered in this process: they pay for nothing. */
  async function answer(request: Request, identity: RequestIdentity, payer: string, body: HeldBody): Promise<Response> {
    const limits = limitsFor(identity.role, config.REST_REGEX_FILTERS);
    if (request.url.length > limits.urlLength) throw urlTooLong(limits.urlLength);
    if (payer !== '') time?.require(payer);
    const caller = { identity, address: payer, signal: request.signal, answerBytes: limits.answerBytes };
    const call: RestCall = {
      request: parseRequest(request, new URL(request.url)),
      limits,
      schema: await schema.current(),
      database: databaseFor(caller, database, time),
      readBody: () => readBody(request, limits.bodyBytes, body),
    };
    if (call.request.target.kind === 'function') return callFunction(call);
    const isRead = call.request.method === 'GET' || call.request.method === 'HEAD';
    return isRead ? readTable(call) : writeTable(call);
  }

  return {
    async fetch(request, address) {
      let isAnonymous = true;
      try {
        const identity = { ...(await identify(request)), address: config.RATE_LIMITS ? address : undefined };
        isAnonymous = identity.role === 'anon';
        const payer = identity.role === 'service_role' ? '' : address;
        const body = bodies.hold(payer);
        try {
          return await answer(request, identity, payer, body);
        } finally {
          body.release();
        }
      } catch (error) {
        return errorResponse(error, { isAnonymous, log });
      }
    },
    close: schema.close,
  };
}
