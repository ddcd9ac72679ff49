/** Dependencies of all services of the backend, and the interface of a service. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { RequestIdentity } from './database/request-role.ts';
import type { SigningKeys } from './http/keys.ts';
import type { MemoryBudget } from './limits/memory-budget.ts';

/**
 * Returns the provider's error codes for a token, or null if the token is valid. `address` is '' if it is unknown.
 * @throws Error if the provider cannot be reached
 */
export type VerifyCaptcha = (request: {
  provider: 'hcaptcha' | 'turnstile';
  url: string | undefined;
  secret: string;
  token: string;
  address: string;
}) => Promise<string | null>;

export interface BackendContext {
  config: Config;
  database: Database;
  keys: SigningKeys;
  log: Logger;
  /** Memory budget for request bodies and unread responses. */
  memory: MemoryBudget;
  verifyCaptcha: VerifyCaptcha;
  /** Returns the sender name of mails and text messages. */
  readSenderName(): Promise<string>;
  /** Returns the role and claims of a request. @throws IdentityError */
  identify(request: Request): Promise<RequestIdentity>;
}

export interface Service {
  /** Paths that the service handles, such as /rest/v1/:table. Requests to other paths return an error. */
  routes: readonly string[];
  /** Handles a request. `address` is the client's IP address for rate limits, or '' if unknown. */
  fetch(request: Request, address: string): Response | Promise<Response>;
  /** Stops the service after its background tasks are done. */
  close(): Promise<void>;
}
