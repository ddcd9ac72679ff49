/** OAuth authorisation requests from third-party applications. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { callAuth } from '../api/as-signed-in.ts';

export interface ConsentRequest {
  client: { name: string; uri: string };
  /** Host of the redirect URL, or the scheme of an installed application. */
  destination: string;
  scopes: string[];
}

/** Reads a request, or null if the user has already consented and the browser is being redirected. */
export function consentRequestQuery(id: string) {
  return queryOptions({
    queryKey: ['oauth-consent', id],
    queryFn: async (): Promise<ConsentRequest | null> => {
      const data = await callAuth((auth) => auth.oauth.getAuthorizationDetails(id));
      if ('redirect_url' in data) {
        window.location.replace(data.redirect_url);
        return null;
      }
      const { host, protocol } = new URL(data.redirect_uri);
      return {
        client: data.client,
        destination: /^https?:$/.test(protocol) ? host : protocol.slice(0, -1),
        scopes: data.scope.split(' '),
      };
    },
    // An answered request cannot be read again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Sends the decision and redirects the browser to the application. */
export function answerConsentMutation(id: string) {
  return mutationOptions({
    mutationFn: async (decision: 'approve' | 'deny'): Promise<void> => {
      await callAuth(({ oauth }) =>
        decision === 'approve' ? oauth.approveAuthorization(id) : oauth.denyAuthorization(id),
      );
    },
  });
}
