/** POST /token: calls the handler of the grant type. A new grant is a file in grants/ and a line here. */
import type { Endpoint } from './auth-call.ts';
import { withCaptcha } from './captcha.ts';
import { authError } from './error-codes.ts';
import { idTokenGrant } from './grants/id-token.ts';
import { passwordGrant } from './grants/password.ts';
import { pkceGrant } from './grants/pkce.ts';
import { refreshTokenGrant } from './grants/refresh-token.ts';
import { web3Grant } from './grants/web3.ts';

const GRANTS: Record<string, Endpoint> = {
  password: withCaptcha(passwordGrant),
  refresh_token: refreshTokenGrant,
  pkce: pkceGrant,
  id_token: idTokenGrant,
  web3: withCaptcha(web3Grant),
};

export const token: Endpoint = async (call, parameters) => {
  const name = call.url.searchParams.get('grant_type') ?? '';
  const grant = Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined;
  if (!grant) throw authError('invalid_credentials', 'unsupported_grant_type');
  return grant(call, parameters);
};
