/**
 * The table API at /rest/v1, as PostgREST answers it (https://docs.postgrest.org): parse -> plan -> sql -> respond.
 */
import type { BackendContext, Service } from '../context.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { callFunction } from './call-function.ts';
import { parseRequest } from './parse/parse-request.ts';
import { readTable } from './read-table.ts';
import { errorResponse } from './respond/error-response.ts';
import { keepSchemaCache } from './schema/keep-schema-cache.ts';
import { writeTable } from './write-table.ts';

/** Loads the schema cache and keeps it current: `notify pgrst, 'reload schema'` loads it again. */
export async function createRestService({ config, database, identify, log }: BackendContext): Promise<Service> {
  const schema = await keepSchemaCache(database, log);

  async function answer(request: Request, identity: RequestIdentity): Promise<Response> {
    const parsed = parseRequest(request, new URL(request.url));
    const cache = await schema.current();
    if (parsed.target.kind === 'function') return callFunction(database, cache, parsed, identity, request);
    const isRead = parsed.method === 'GET' || parsed.method === 'HEAD';
    return isRead
      ? readTable(database, cache, parsed, identity)
      : writeTable(database, cache, parsed, identity, request);
  }

  return {
    async fetch(request, address) {
      let isAnonymous = true;
      try {
        const identity = { ...(await identify(request)), address: config.RATE_LIMITS ? address : undefined };
        isAnonymous = identity.role === 'anon';
        return await answer(request, identity);
      } catch (error) {
        return errorResponse(error, { isAnonymous, log });
      }
    },
    close: schema.close,
  };
}
