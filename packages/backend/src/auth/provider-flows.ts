/**
 * Redirects a browser to a provider and handles the callback. The state is single-use, expires after ten minutes and is
 * bound to the browser that started the flow. Otherwise an attacker could finish their own flow in a victim's browser
 * (login CSRF). The victim would then be signed in to the attacker's account, or the victim's identity would be linked
 * to it.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { generateRandomCodeVerifier } from 'oauth4webapi';
import type { Database, Queryable } from '../database/database.ts';
import { isUuid } from '../http/uuid.ts';
import { type AuthCall, validate } from './auth-call.ts';
import { authError } from './error-codes.ts';
import type { LinkTarget } from './external-accounts.ts';
import { type CodeChallenge, challengeBody, readChallenge } from './flow-states.ts';
import { redirectTarget } from './mails.ts';
import type { ExternalProfile } from './providers/provider.ts';

/** Time allowed to sign in at the provider, in seconds. */
const FLOW_SECONDS = 600;

const COOKIE = 'sb-browser';

/** Parameters set by this server, or that would change the provider's response mode or recipient. */
const RESERVED_PARAMETERS = new Set([
  'apikey',
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'id_token_hint',
  'invite_token',
  'nonce',
  'provider',
  'redirect_to',
  'redirect_uri',
  'registration',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'scopes',
  'skip_http_redirect',
  'state',
]);

/** Response to GET /authorize. */
export interface FlowRedirect {
  /** URL of the provider's authorization endpoint. */
  url: URL;
  /** Cookie that binds the flow to this browser. */
  headers: Record<string, string>;
}

/**
 * Redirects the browser to a provider.
 * @param linkTo the account to link the provider's profile to; undefined to sign in
 * @throws ApiError 400 validation_failed, 429; Error if the provider does not respond
 */
export async function startProviderFlow(call: AuthCall, linkTo?: LinkTarget): Promise<FlowRedirect> {
  const { searchParams } = call.url;
  const name = (searchParams.get('provider') ?? '').toLowerCase();
  const provider = await call.auth.providers.require(name);
  const challenge = readChallenge(
    validate(challengeBody, {
      code_challenge: searchParams.get('code_challenge') || null,
      code_challenge_method: searchParams.get('code_challenge_method') || null,
    }),
  );
  await call.auth.limits.providerFlowPerAddress.consume(call.address);
  const state = randomUUID();
  const codeVerifier = generateRandomCodeVerifier();
  // Get the URL before storing the flow, so that nothing is stored if the provider does not respond.
  const url = await provider.authorizationUrl({
    redirectUri: callbackUrl(call),
    state,
    codeVerifier,
    scopes: (searchParams.get('scopes') ?? '').split(/[\s,]+/).filter(Boolean),
    parameters: Object.fromEntries([...searchParams].filter(([key]) => !RESERVED_PARAMETERS.has(key.toLowerCase()))),
  });
  // With a code challenge, only the holder of the verifier can link the identity, so no cookie is needed.
  const browserToken =
    linkTo && challenge ? null : readBrowserToken(call.request) || randomBytes(32).toString('base64url');
  await storeFlow(call.auth.database, {
    state,
    provider: name,
    codeVerifier,
    challenge,
    redirectTo: redirectTarget(call),
    linkTo,
    browserToken,
  });
  return { url, headers: browserToken ? { 'set-cookie': buildCookie(call, browserToken) } : {} };
}

/** The redirect URI registered with every provider. */
export function callbackUrl(call: AuthCall): string {
  return `${call.siteUrl}/auth/v1/callback`;
}

interface Flow {
  state: string;
  provider: string;
  codeVerifier: string;
  challenge: CodeChallenge | undefined;
  redirectTo: string;
  linkTo: LinkTarget | undefined;
  browserToken: string | null;
}

async function storeFlow(database: Database, flow: Flow): Promise<void> {
  await database.query(
    `with client as (
      insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at) values ($1, $2, $3, now())
    ), flow as (
      insert into auth.flow_state (
        id, provider_type, authentication_method, code_challenge, code_challenge_method, referrer, linking_target_id,
        oauth_client_state_id, created_at, updated_at
      ) values ($4, $2, 'oauth', $5, $6, $7, $8, $1, now(), now())
    )
    insert into backend.provider_flows (flow_id, browser_hash, session_id) values ($4, $9, $10)`,
    [
      randomUUID(),
      flow.provider,
      flow.codeVerifier,
      flow.state,
      flow.challenge?.challenge,
      flow.challenge?.method,
      flow.redirectTo,
      flow.linkTo?.userId,
      flow.browserToken && sha256(flow.browserToken),
      flow.linkTo?.sessionId,
    ],
  );
}

/** A flow after the provider has redirected back. */
export interface CompletedFlow {
  flowId: string;
  provider: string;
  codeVerifier: string;
  redirectTo: string;
  /** True if the response is a code, which only the holder of the verifier can redeem. */
  isPkce: boolean;
  linkTo: LinkTarget | null;
}

/**
 * Consumes the state of a flow. Rejects requests from another browser without consuming it.
 * @throws ApiError 400 bad_oauth_callback or bad_oauth_state
 */
export async function completeProviderFlow(call: AuthCall, state: string | null): Promise<CompletedFlow> {
  if (!state) throw authError('bad_oauth_callback', 'OAuth state parameter missing');
  if (!isUuid(state)) throw authError('bad_oauth_state', 'OAuth state parameter is invalid');
  const browserToken = readBrowserToken(call.request);
  const { rows } = await call.auth.database.query<{
    id: string;
    provider_type: string;
    code_verifier: string;
    referrer: string;
    is_pkce: boolean;
    linking_target_id: string | null;
    session_id: string | null;
    is_fresh: boolean;
  }>(
    `delete from auth.oauth_client_states client using auth.flow_state flow, backend.provider_flows provider_flow
     where flow.id = $1 and client.id = flow.oauth_client_state_id and provider_flow.flow_id = flow.id
       and (provider_flow.browser_hash is null or provider_flow.browser_hash = $2)
     returning flow.id, flow.provider_type, client.code_verifier, flow.referrer, flow.linking_target_id,
       provider_flow.session_id, flow.code_challenge is not null as is_pkce,
       flow.created_at > now() - make_interval(secs => ${FLOW_SECONDS}) as is_fresh`,
    [state, browserToken && sha256(browserToken)],
  );
  const [flow] = rows;
  if (!flow) throw authError('bad_oauth_state');
  if (!flow.is_fresh) throw authError('bad_oauth_state', 'OAuth state has expired');
  return {
    flowId: flow.id,
    provider: flow.provider_type,
    codeVerifier: flow.code_verifier,
    redirectTo: flow.referrer,
    isPkce: flow.is_pkce,
    linkTo: flow.linking_target_id ? { userId: flow.linking_target_id, sessionId: flow.session_id } : null,
  };
}

/** Stores the provider's profile until the code is redeemed. */
export async function storeProfile(database: Queryable, flowId: string, profile: ExternalProfile): Promise<void> {
  await database.query('update backend.provider_flows set profile = $2 where flow_id = $1', [flowId, profile]);
}

function buildCookie(call: AuthCall, browserToken: string): string {
  const secure = call.siteUrl.startsWith('https:') ? '; Secure' : '';
  // SameSite=Lax, because the return from the provider is a cross-site navigation.
  return `${COOKIE}=${browserToken}; Path=/auth/v1; Max-Age=${FLOW_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function readBrowserToken(request: Request): string | null {
  return /(?:^|;\s*)sb-browser=([A-Za-z0-9_-]{43})(?:;|$)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? null;
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
