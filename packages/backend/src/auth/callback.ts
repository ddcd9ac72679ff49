/**
 * GET and POST /callback: handles the return of a browser from a provider. Redirects it to the page that started the
 * flow, with a session in the #fragment or with a code. Errors are passed to the same page.
 */
import type { Queryable } from '../database/database.ts';
import type { AuthCall, Endpoint } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { asAuthError } from './error-response.ts';
import { ensureAccount, linkToAccount, requireUnlinked, retryOnConflict } from './external-accounts.ts';
import { issueCode } from './flow-states.ts';
import { type CompletedFlow, callbackUrl, completeProviderFlow, storeProfile } from './provider-flows.ts';
import type { ProviderSignIn } from './providers/provider.ts';
import { redirectTo, redirectWithError, redirectWithMessage } from './redirect-responses.ts';
import { openSession, type Session, tokenJson } from './sessions.ts';
import { readUser, type UserRow } from './users.ts';

export const callback: Endpoint = async (call) => {
  // A HEAD request must not redeem the state.
  if (call.request.method === 'HEAD') return new Response(null);
  let target = `${call.siteUrl}/`;
  try {
    const { searchParams } = call.url;
    await call.auth.limits.codePerAddress.consume(call.address);
    const flow = await completeProviderFlow(call, searchParams.get('state'));
    target = flow.redirectTo;
    const error = searchParams.get('error');
    if (error) {
      const description = searchParams.get('error_description') ?? '';
      return redirectWithMessage(target, {
        error: error.slice(0, 200),
        ...(description && { error_description: description.slice(0, 1000) }),
      });
    }
    const signIn = await exchangeCode(call, flow);
    return redirectTo(await finishSignIn(call, flow, signIn));
  } catch (error) {
    return redirectWithError(target, asAuthError(error, { log: call.auth.log, request: call.request }), 303);
  }
};

/** Apple sends a cross-site POST, which browsers send without the SameSite cookie. A redirect to GET includes it. */
export const callbackForm: Endpoint = async (call) => {
  const form = new URLSearchParams(await call.request.text());
  const url = new URL(callbackUrl(call));
  for (const name of ['state', 'code', 'iss', 'error', 'error_description']) {
    const value = form.get(name);
    if (value) url.searchParams.set(name, value);
  }
  return redirectTo(url, 303);
};

/** @throws ApiError 400 bad_oauth_callback, 500 unexpected_failure */
async function exchangeCode(
  call: AuthCall,
  { provider, codeVerifier, flowId }: CompletedFlow,
): Promise<ProviderSignIn> {
  const parameters = call.url.searchParams;
  const code = parameters.get('code');
  if (!code) throw authError('bad_oauth_callback');
  const response = { parameters, redirectUri: callbackUrl(call), state: flowId, codeVerifier };
  const signInProvider = await call.auth.providers.require(provider);
  const signIn = await signInProvider.signIn(response).catch((error: unknown) => {
    call.auth.log.warn({ err: error, provider }, 'a provider sign-in failed');
    throw authError('unexpected_failure', `Unable to exchange external code: ${code.slice(0, 4)}`);
  });
  if (signIn.profile.emails.length === 0 && !signInProvider.isEmailOptional) {
    throw authError('unexpected_failure', 'Error getting user email from external provider');
  }
  return signIn;
}

type Outcome = { code: string } | { user: UserRow; session: Session };

/** Finishes the sign-in and returns the URL to redirect to. */
async function finishSignIn(call: AuthCall, flow: CompletedFlow, signIn: ProviderSignIn): Promise<URL> {
  const { accessToken, refreshToken } = signIn;
  const url = new URL(flow.redirectTo);
  const outcome = await retryOnConflict(() =>
    call.auth.database.transaction((tx) =>
      flow.isPkce ? finishWithCode(tx, call, flow, signIn) : finishWithSession(tx, call, flow, signIn),
    ),
  );
  if ('code' in outcome) {
    url.searchParams.set('code', outcome.code);
    return url;
  }
  const { user: _user, ...tokens } = await tokenJson(call, outcome.user, outcome.session);
  const entries = Object.entries(tokens).map(([name, value]): [string, string] => [name, String(value)]);
  url.hash = new URLSearchParams([
    ...entries,
    ['provider_token', accessToken],
    ...(refreshToken ? [['provider_refresh_token', refreshToken]] : []),
  ]).toString();
  return url;
}

async function finishWithCode(
  tx: Queryable,
  call: AuthCall,
  { flowId, linkTo }: CompletedFlow,
  { profile, accessToken, refreshToken }: ProviderSignIn,
): Promise<Outcome> {
  let userId = linkTo?.userId;
  if (userId) {
    await requireUnlinked(tx, userId, profile);
    await storeProfile(tx, flowId, profile);
  } else {
    userId = (await ensureAccount(tx, call, profile)).id;
  }
  return { code: await issueCode(tx, flowId, { userId, accessToken, refreshToken }) };
}

async function finishWithSession(
  tx: Queryable,
  call: AuthCall,
  { flowId, linkTo, provider }: CompletedFlow,
  { profile }: ProviderSignIn,
): Promise<Outcome> {
  const { id } = linkTo ? await linkToAccount(tx, call, linkTo, profile) : await ensureAccount(tx, call, profile);
  const user = await readUser(tx, id);
  const session = await openSession(tx, call, user, { method: 'oauth', provider });
  await tx.query('delete from auth.flow_state where id = $1', [flowId]);
  return { user, session };
}
