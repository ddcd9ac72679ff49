/** Input of an endpoint: the service's dependencies, the request, and the caller's account. */
import { z } from 'zod';
import type { BackendContext } from '../context.ts';
import { EMAIL_PATTERN } from '../http/email-pattern.ts';
import { bearerToken } from '../http/identity.ts';
import { isUuid } from '../http/uuid.ts';
import type { SmsSender } from '../mail/sms.ts';
import type { AssuranceLevel } from './authentication-methods.ts';
import { authError } from './error-codes.ts';
import type { AuthLimits } from './limits.ts';
import type { Providers } from './providers/providers.ts';
import type { SamlKey } from './saml/saml-key.ts';
import { requireSmallMetadata } from './user-metadata.ts';
import { findUserById, type UserRow } from './users.ts';

export interface AuthService extends BackendContext {
  limits: AuthLimits;
  /** The signing key of single sign-on, loaded or created on first use. */
  samlKey(): Promise<SamlKey>;
  sms: SmsSender;
  /** Sign-in providers. */
  providers: Providers;
  /**
   * Runs work after the response and a random delay, so that response times do not reveal whether an account exists.
   */
  runInBackground(work: () => Promise<unknown>): void;
}

export interface AuthCall {
  auth: AuthService;
  request: Request;
  url: URL;
  /** IP address of the client, or '' if it is unknown. */
  address: string;
  /** Origin of the site, for links in mails, redirects and the issuer of tokens. */
  siteUrl: string;
}

export type Endpoint = (call: AuthCall, parameters: Record<string, string>) => Promise<Response>;

/** JSON escapes that Postgres can store neither in text nor in jsonb: NUL, and unpaired surrogates. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * Parses and validates a request body.
 * @throws ApiError 400 bad_json or validation_failed
 */
export async function readBody<Schema extends z.ZodType>(call: AuthCall, schema: Schema): Promise<z.output<Schema>> {
  const text = await call.request.text();
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw authError('bad_json');
  }
  if (UNSTORABLE.test(JSON.stringify(body))) {
    throw authError('validation_failed', 'The request contains a character that cannot be stored');
  }
  return validate(schema, body);
}

/** Prefixes of Zod's default messages, which do not name the field. */
const GENERIC_MESSAGE = /^(Invalid (input|option|string|key)|Too (big|small)|Unrecognized)/;

/** @throws ApiError 400 validation_failed with the message of the first issue */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const message = issue?.message ?? 'Invalid request';
  const path = issue?.path.join('.');
  throw authError('validation_failed', path && GENERIC_MESSAGE.test(message) ? `${path}: ${message}` : message);
}

/** Parses an email address and converts it to lower case. */
export const emailField = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z
      .email({ pattern: EMAIL_PATTERN, error: 'Unable to validate email address: invalid format' })
      .max(255, 'An email address is too long'),
  );

/** Metadata that users can change themselves. @throws ApiError 422 validation_failed for more than 8 kB */
export const metadataField = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((data) => {
    requireSmallMetadata(data);
    return data;
  });

/** Metadata that only the service role can change. */
export const appMetadataField = z.record(z.string(), z.unknown()).nullish();

export interface SignedIn {
  user: UserRow;
  sessionId: string;
  /** True if the session is less than a day old, which counts as a recent sign-in. */
  isRecent: boolean;
  /** aal2 if both the session and the token have it. A token issued before the factor was verified stays aal1. */
  aal: AssuranceLevel;
  /** The OAuth client of the session. */
  client: { id: string; scopes: string } | undefined;
}

interface SessionRow {
  is_recent: boolean;
  aal: AssuranceLevel | null;
  oauth_client_id: string | null;
  scopes: string | null;
}

/**
 * Returns the account and session of the bearer token. Tokens of OAuth clients are rejected unless `clients` is
 * true. An OAuth client can use tables and files for the user, but cannot change the account or the access of other
 * clients.
 * @throws ApiError 401 without a token; 403 for an invalid token, or if its account or session no longer exists
 */
export async function requireUser(call: AuthCall, { allowsClients = false } = {}): Promise<SignedIn> {
  const token = bearerToken(call.request.headers);
  if (!token) throw authError('no_authorization');
  const { claims } = await call.auth.identify(call.request).catch(() => {
    throw authError('bad_jwt');
  });
  const { sub, session_id: sessionId } = claims;
  if (!isUuid(sub)) throw authError('bad_jwt', 'invalid claim: missing sub claim');
  const user = await findUserById(call.auth.database, sub);
  if (!user) throw authError('user_not_found', 'User from sub claim in JWT does not exist', 403);
  if (!isUuid(sessionId)) throw authError('session_not_found');
  const sessions = await call.auth.database.query<SessionRow>(
    `select aal, oauth_client_id, scopes, created_at > now() - interval '24 hours' as is_recent from auth.sessions
     where id = $1 and user_id = $2 and (not_after is null or not_after > now())`,
    [sessionId, sub],
  );
  const [session] = sessions.rows;
  if (!session) throw authError('session_not_found');
  if (session.oauth_client_id && !allowsClients) throw authError('not_admin', 'OAuth clients cannot use this endpoint');
  const aal = session.aal === 'aal2' && claims['aal'] === 'aal2' ? 'aal2' : 'aal1';
  const client = session.oauth_client_id ? { id: session.oauth_client_id, scopes: session.scopes ?? '' } : undefined;
  return { user, sessionId, isRecent: session.is_recent, aal, client };
}

/** Returns the session id in the request's valid token, even if the session has ended. */
export async function claimedSession(call: AuthCall): Promise<string | undefined> {
  if (!bearerToken(call.request.headers)) return undefined;
  const identity = await call.auth.identify(call.request).catch(() => undefined);
  const sessionId = identity?.claims['session_id'];
  return isUuid(sessionId) ? sessionId : undefined;
}

/** Rejects anonymous accounts if the action adds a credential. @throws ApiError 403 no_authorization */
export function requireNotAnonymous({ user }: SignedIn): void {
  if (user.is_anonymous)
    throw authError('no_authorization', 'Anonymous user not allowed to perform these actions', 403);
}

/**
 * Rejects adding a credential to a single sign-on account, because its identity provider could not revoke it.
 * @throws ApiError 422 user_sso_managed
 */
export function requireNotSso({ user }: SignedIn): void {
  if (user.is_sso_user)
    throw authError('user_sso_managed', 'SSO accounts can only sign in through their identity provider');
}

/** Rejects sign-ups while AUTH_SIGNUPS is off. @throws ApiError 422 signup_disabled */
export function requireSignUps({ auth }: AuthCall): void {
  if (!auth.config.AUTH_SIGNUPS) throw authError('signup_disabled');
}

/** @throws ApiError 401 without a token or key, 403 for a role other than service_role */
export async function requireServiceRole(call: AuthCall): Promise<void> {
  const identity = await call.auth.identify(call.request).catch(() => {
    throw authError('bad_jwt');
  });
  if (identity.role === 'service_role') return;
  throw authError(bearerToken(call.request.headers) ? 'not_admin' : 'no_authorization');
}
