/** Input of an endpoint: the service's parts, the request, and the account that sent it. */
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
  /** The key of single sign-on, loaded or made when it is first asked for. */
  samlKey(): Promise<SamlKey>;
  sms: SmsSender;
  /** Providers that people can sign in with. */
  providers: Providers;
  /** Runs work a random while after the answer, so that its time does not tell whether there is work. */
  runInBackground(work: () => Promise<unknown>): void;
}

export interface AuthCall {
  auth: AuthService;
  request: Request;
  url: URL;
  /** Address of the client, '' when unknown. */
  address: string;
  /** Origin of the site: of links in mails, of redirects, and of the issuer of tokens. */
  siteUrl: string;
}

export type Endpoint = (call: AuthCall, parameters: Record<string, string>) => Promise<Response>;

/** JSON escapes that Postgres stores in neither text nor jsonb: the null character, and half of a surrogate pair. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * The body of a request, checked.
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
  return check(schema, body);
}

/** Beginnings of Zod's own messages, which do not name the field that they are about. */
const WITHOUT_SUBJECT = /^(Invalid (input|option|string|key)|Too (big|small)|Unrecognized)/;

/** @throws ApiError 400 validation_failed with the first fault in words */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = issue?.message ?? 'Invalid request';
  const path = issue?.path.join('.');
  throw authError('validation_failed', path && WITHOUT_SUBJECT.test(message) ? `${path}: ${message}` : message);
}

/** An e-mail address of a request body, in lower case. */
export const emailField = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z
      .email({ pattern: EMAIL_PATTERN, error: 'Unable to validate email address: invalid format' })
      .max(255, 'Email must be less than 255 characters'),
  );

/** Free data that people keep with their account. @throws ApiError 422 validation_failed for more than 8 kB */
export const metadataField = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((data) => {
    requireSmallMetadata(data);
    return data;
  });

/** Data that the owner's own programs keep with an account: no stranger writes it. */
export const appMetadataField = z.record(z.string(), z.unknown()).nullish();

export interface SignedIn {
  user: UserRow;
  sessionId: string;
  /** True for a session of less than a day, whose person counts as being at the keyboard. */
  isRecent: boolean;
  /** aal2 when both the session and the token have seen a second factor: a token from before it counts for less. */
  aal: AssuranceLevel;
  /** The OAuth client that the session was opened for. */
  client: { id: string; scopes: string } | undefined;
}

interface SessionRow {
  is_recent: boolean;
  aal: AssuranceLevel | null;
  oauth_client_id: string | null;
  scopes: string | null;
}

/**
 * The account and session of the bearer token. Tokens of OAuth clients are refused unless `clients` lets them in: a
 * client acts for the person on the tables and files, and changes neither the account nor who else may act for it.
 * @throws ApiError 401 without a token; 403 with a bad one, or when its account or session no longer exists
 */
export async function requireUser(call: AuthCall, { clients = false } = {}): Promise<SignedIn> {
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
  if (session.oauth_client_id && !clients) throw authError('not_admin', 'Not open to OAuth clients');
  const aal = session.aal === 'aal2' && claims['aal'] === 'aal2' ? 'aal2' : 'aal1';
  const client = session.oauth_client_id ? { id: session.oauth_client_id, scopes: session.scopes ?? '' } : undefined;
  return { user, sessionId, isRecent: session.is_recent, aal, client };
}

/** The session that a request's token names, whether or not it still lives; undefined without a valid token. */
export async function claimedSession(call: AuthCall): Promise<string | undefined> {
  if (!bearerToken(call.request.headers)) return undefined;
  const identity = await call.auth.identify(call.request).catch(() => undefined);
  const sessionId = identity?.claims['session_id'];
  return isUuid(sessionId) ? sessionId : undefined;
}

/**
 * Refuses anonymous accounts where something is kept that can be signed in to again. @throws ApiError 403
 * no_authorization
 */
export function requireNotAnonymous({ user }: SignedIn): void {
  if (user.is_anonymous)
    throw authError('no_authorization', 'Anonymous user not allowed to perform these actions', 403);
}

/**
 * Rejects adding a credential to a single sign-on account: its identity provider must remain able to end access.
 * @throws ApiError 422 user_sso_managed
 */
export function requireNotSso({ user }: SignedIn): void {
  if (user.is_sso_user)
    throw authError('user_sso_managed', 'SSO accounts can only sign in through their identity provider');
}

/** Rejects self-service accounts while sign-ups are off. @throws ApiError 422 signup_disabled */
export function requireSignUps({ auth }: AuthCall): void {
  if (!auth.config.AUTH_SIGNUPS) throw authError('signup_disabled');
}

/** @throws ApiError 401 without a token or key, 403 for everybody but the service role */
export async function requireServiceRole(call: AuthCall): Promise<void> {
  const identity = await call.auth.identify(call.request).catch(() => {
    throw authError('bad_jwt');
  });
  if (identity.role === 'service_role') return;
  throw authError(bearerToken(call.request.headers) ? 'not_admin' : 'no_authorization');
}
