/** Refreshes stored metadata, so that identity providers can rotate certificates. */
import type { AuthCall } from '../auth-call.ts';
import { fetchMetadata } from './fetch-metadata.ts';
import { type IdentityProvider, parseIdentityProvider } from './identity-provider.ts';
import { type SsoProviderRow, updateSsoProvider } from './sso-providers.ts';

const MAX_AGE_MS = 24 * 60 * 60_000;

/**
 * Returns the provider's metadata. Fetches it again from its URL when the stored copy is a day old. If the fetch fails,
 * the stored copy is used.
 */
export async function refreshIdentityProvider(call: AuthCall, provider: SsoProviderRow): Promise<IdentityProvider> {
  const storedProvider = parseIdentityProvider(provider.metadata_xml);
  const { metadata_url: url } = provider;
  if (!url || Date.now() < provider.metadata_updated_at.getTime() + MAX_AGE_MS) return storedProvider;
  try {
    const xml = await fetchMetadata(url, call.auth.config.AUTH_SAML_PRIVATE_NETWORKS);
    const fetched = parseIdentityProvider(xml);
    if (fetched.entityId !== storedProvider.entityId)
      throw new Error('The metadata belongs to another identity provider');
    await updateSsoProvider(call.auth.database, { ...provider, metadata_xml: xml }, { isFetched: true });
    return fetched;
  } catch (error) {
    call.auth.log.warn({ err: error, ssoProvider: provider.id }, 'SAML metadata could not be refreshed');
    return storedProvider;
  }
}
