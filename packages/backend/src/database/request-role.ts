import { DEFAULT_TIMEOUT_MS, type Statement } from './database.ts';

/** Identity of a request. SQL policies read it with auth.uid(), auth.jwt() and current_setting('request.…'). */
export interface RequestIdentity {
  role: 'anon' | 'authenticated' | 'service_role';
  /** The verified claims of the access token; `{ role: 'anon' }` without a token. */
  claims: Record<string, unknown>;
  /** Lower-case header names. */
  headers: Record<string, string>;
  method: string;
  path: string;
  /** Network address for rate limits in SQL functions. Without it, they do not apply. */
  address?: string | undefined;
}

/**
 * Timeouts in milliseconds. Those of anon and authenticated are the same as on hosted projects, where the service role
 * has no timeout.
 */
const DEADLINES = { anon: 3_000, authenticated: 8_000, service_role: DEFAULT_TIMEOUT_MS };

/** Returns no rows, so that the settings, such as all headers, are not sent back. */
const ASSUME_ROLE = `select where num_nulls(
  set_config('search_path', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.headers', $3, true), set_config('request.method', $4, true),
  set_config('request.path', $5, true), set_config('role', $6, true),
  set_config('transaction_read_only', coalesce($7, current_setting('transaction_read_only')), true),
  set_config('statement_timeout', $8, true), set_config('request.address', $9, true)) < 0`;

/**
 * Builds the first statement of a request's transaction: sets the role and the `request.*` settings until the end of
 * the transaction, and a statement timeout. Mirrors PostgREST
 * (https://docs.postgrest.org/en/stable/references/transactions.html).
 */
export function assumeRole(
  identity: RequestIdentity,
  options: { isReadOnly?: boolean; searchPath?: string } = {},
): Statement {
  const deadlineMs = DEADLINES[identity.role];
  return {
    deadlineMs,
    role: identity.role,
    isReadOnly: options.isReadOnly ?? false,
    text: ASSUME_ROLE,
    values: [
      options.searchPath ?? '"public", "extensions"',
      JSON.stringify(identity.claims),
      JSON.stringify(identity.headers),
      identity.method,
      identity.path,
      identity.role,
      // Null keeps the mode that DiskGuard has set.
      options.isReadOnly ? 'on' : null,
      `${deadlineMs}ms`,
      identity.address || 'none',
    ],
  };
}

/** Returns the account of an access token; null for a visitor and for the service role. */
export function getAccountId({ claims }: RequestIdentity): string | null {
  return typeof claims['sub'] === 'string' ? claims['sub'] : null;
}
