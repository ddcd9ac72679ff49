/**
 * The table API at /rest/v1, as PostgREST answers it (https://docs.postgrest.org): parse -> plan -> sql -> respond.
 */
import type { BackendContext } from '../create-backend.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { callFunction } from './call-function.ts';
import { parseRequest } from './parse/parse-request.ts';
import { readTable } from './read-table.ts';
import { errorResponse } from './respond/error-response.ts';
import { keepSchemaCache } from './schema/keep-schema-cache.ts';
import { writeTable } from './write-table.ts';

export interface RestService {
  fetch(request: Request): Promise<Response>;
}

/** Loads the schema cache and keeps it current: `notify pgrst, 'reload schema'` loads it again. */
export async function createRestService({ database, identify, log }: BackendContext): Promise<RestService> {
  const schemaCache = await keepSchemaCache(database, log);

  async function answer(request: Request, identity: RequestIdentity): Promise<Response> {
    const parsed = parseRequest(request, new URL(request.url));
    const schema = await schemaCache();
    if (parsed.target.kind === 'function') return callFunction(database, schema, parsed, identity, request);
    const isRead = parsed.method === 'GET' || parsed.method === 'HEAD';
    return isRead
      ? readTable(database, schema, parsed, identity)
      : writeTable(database, schema, parsed, identity, request);
  }

  return {
    async fetch(request) {
      let isAnonymous = true;
      try {
        const identity = await identify(request);
        isAnonymous = identity.role === 'anon';
        return await answer(request, identity);
      } catch (error) {
        return errorResponse(error, { isAnonymous, log });
      }
    },
  };
}
