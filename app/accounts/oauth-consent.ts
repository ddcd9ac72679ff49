/** Requests of other people's applications to a person, and the person's answer. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { askAuth } from '../api/as-signed-in.ts';

export interface ConsentRequest {
  client: { name: string; uri: string };
  /** The host of the address that the answer goes to; the scheme of an installed application's. */
  destination: string;
  scopes: string[];
}

/** Null when the person had agreed before: the browser is on its way to the application then. */
export function consentRequestQuery(id: string) {
  return queryOptions({
    queryKey: ['oauth-consent', id],
    queryFn: async (): Promise<ConsentRequest | null> => {
      const data = await askAuth((auth) => auth.oauth.getAuthorizationDetails(id));
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
    // Asking again would ask about a request that is answered.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Answers, and leads the browser to the application either way. */
export function answerConsentMutation(id: string) {
  return mutationOptions({
    mutationFn: async (answer: 'approve' | 'deny'): Promise<void> => {
      await askAuth(({ oauth }) =>
        answer === 'approve' ? oauth.approveAuthorization(id) : oauth.denyAuthorization(id),
      );
    },
  });
}
