/** POST /oauth/clients/register: a client registers itself (RFC 7591), if the owner allows that. */
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { newClientFields, registrationBody } from './client-fields.ts';
import { clientJson, findClient, insertClient } from './clients.ts';
import { requireOAuthServer } from './server.ts';

export const registerClient: Endpoint = async (call) => {
  requireOAuthServer(call);
  if (!call.auth.config.AUTH_OAUTH_REGISTRATION) throw authError('oauth_dynamic_client_registration_disabled');
  await call.auth.limits.oauthRegistrationPerAddress.consume(call.address);
  const fields = newClientFields(await readBody(call, registrationBody));
  const { id, secret } = await insertClient(call.auth.database, fields, 'dynamic');
  const client = await findClient(call.auth.database, id);
  if (!client) throw new Error('A client was deleted during its registration');
  return Response.json(clientJson(client, secret), { status: 201 });
};
