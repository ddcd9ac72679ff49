/**
 * Results that are passed to a page by redirect. They are in the #fragment, which is not sent to the server. Errors are
 * also in the query.
 */
import type { ApiError } from '../http/api-error.ts';

/** Codes that mean access is denied, regardless of their HTTP status. */
const ACCESS_DENIED_CODES = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification']);

const ERRORS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  503: 'temporarily_unavailable',
};

/**
 * Redirects with an error. Error names are those of Supabase Auth (getErrorQueryString in internal/api/external.go).
 * @param status 303 if the request must not be repeated
 */
export function redirectWithError(target: string, apiError: ApiError, status = 302): Response {
  const error = ACCESS_DENIED_CODES.has(apiError.code) ? 'access_denied' : (ERRORS[apiError.status] ?? 'server_error');
  return redirectWithMessage(target, { error, error_code: apiError.code, error_description: apiError.message }, status);
}

/** Redirects with an error message of the provider. */
export function redirectWithMessage(target: string, fields: Record<string, string>, status = 302): Response {
  const url = new URL(target);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  // The last parameter marks the fragment for clients.
  url.hash = new URLSearchParams({ ...fields, sb: '' }).toString();
  return redirectTo(url, status);
}

export function redirectTo(url: URL, status = 302, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { ...headers, location: url.href } });
}
