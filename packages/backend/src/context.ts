/** Parts that every service of the backend is given, and the one shape that every service has. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { RequestIdentity } from './database/request-role.ts';
import type { SigningKeys } from './http/keys.ts';
import type { MemoryBudget } from './limits/memory-budget.ts';

/**
 * Returns the provider's reasons against a token, null when it is good. `address` is '' when it is unknown.
 * @throws Error when the provider gives no verdict
 */
export type VerifyCaptcha = (question: {
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
  /** Counter of the bodies and answers that strangers make this process hold. */
  memory: MemoryBudget;
  verifyCaptcha: VerifyCaptcha;
  /** Reads the name that mails and text messages come from. */
  readSenderName(): Promise<string>;
  /** Role and claims of a request. @throws IdentityError */
  identify(request: Request): Promise<RequestIdentity>;
}

export interface Service {
  /** Paths that it handles, such as /rest/v1/:table. Other paths return 404 or similar. */
  routes: readonly string[];
  /** Answers a request. `address` is the client's network address, '' when unknown; limits count by it. */
  fetch(request: Request, address: string): Response | Promise<Response>;
  /** Waits for background tasks, and stops. */
  close(): Promise<void>;
}
