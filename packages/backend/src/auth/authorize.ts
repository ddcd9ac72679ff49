/** GET /authorize: redirects the browser to a provider. */
import type { Endpoint } from './auth-call.ts';
import { asAuthError } from './error-response.ts';
import { redirectTarget } from './mails.ts';
import { startProviderFlow } from './provider-flows.ts';
import { redirectTo, redirectWithError } from './redirect-responses.ts';

export const authorize: Endpoint = async (call) => {
  try {
    const { url, headers } = await startProviderFlow(call);
    return redirectTo(url, 302, headers);
  } catch (error) {
    const apiError = asAuthError(error, { log: call.auth.log, request: call.request });
    // The request is a browser navigation, so redirect to an error page instead of returning JSON.
    if (apiError.status >= 500) return redirectWithError(redirectTarget(call), apiError);
    throw apiError;
  }
};
