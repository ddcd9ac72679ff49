import type { CallerDatabase } from './caller-database.ts';
import type { RestRequest } from './parse/parse-request.ts';
import type { RequestBody } from './parse/read-body.ts';
import type { RequestLimits } from './request-limits.ts';
import type { SchemaCache } from './schema/schema-cache.ts';

/** A request to the table API and its dependencies. */
export interface RestCall {
  request: RestRequest;
  limits: RequestLimits;
  schema: SchemaCache;
  /** The URL of the API, such as https://example.com/rest/v1. */
  root(): URL;
  /** Runs statements with the caller's role. */
  database: CallerDatabase;
  /** The request body. @throws ApiError PGRST102, PGRST192 */
  readBody(): Promise<RequestBody>;
}
