/**
 * How the outcome of a sign-in that led over other pages comes back to the page that asked for it: a session in the
 * #fragment, a PKCE code in the query, a refusal where the client looks for it.
 */
import type { ApiError } from '../http/api-error.ts';

/** 303 with the body of a token answer (sessions.ts, tokenJson) in the fragment, without the user. */
export function redirectWithSession(
  target: URL,
  { user: _user, ...tokens }: Record<string, unknown>,
  more: Record<string, string> = {},
): Response {
  const texts = Object.entries(tokens).map(([name, value]) => [name, String(value)]);
  target.hash = new URLSearchParams({ ...Object.fromEntries(texts), ...more }).toString();
  return redirect(target);
}

/** 303 with a PKCE code. */
export function redirectWithCode(target: URL, code: string): Response {
  target.searchParams.set('code', code);
  return redirect(target);
}

/** 303 with a refusal. */
export function redirectWithRefusal(target: URL, refusal: ApiError, isPkce: boolean): Response {
  const { status, code, message } = refusal;
  const error = status === 401 || status === 403 ? 'access_denied' : status >= 500 ? 'server_error' : 'invalid_request';
  return redirectWithMessage(target, { error, error_code: code, error_description: message }, isPkce);
}

/** 303 with these values. PKCE clients read the query, others the fragment; the values are in both for the former. */
export function redirectWithMessage(target: URL, values: Record<string, string>, isPkce: boolean): Response {
  target.hash = new URLSearchParams(values).toString();
  if (isPkce) for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return redirect(target);
}

function redirect(target: URL): Response {
  return new Response(null, { status: 303, headers: { location: target.href } });
}
