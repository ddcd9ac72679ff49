/** GET /sso/saml/metadata: the metadata that an identity provider needs about this server. */
import type { Endpoint } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { serviceProviderMetadata } from './service-provider.ts';

export const samlMetadata: Endpoint = async (call) => {
  if (!call.auth.config.AUTH_SAML) throw authError('saml_provider_disabled');
  const headers = new Headers({ 'content-type': 'application/xml', 'cache-control': 'public, max-age=600' });
  if (call.url.searchParams.get('download') === 'true') {
    headers.set('content-disposition', 'attachment; filename="metadata.xml"');
  }
  return new Response(await serviceProviderMetadata(call), { headers });
};
