/** /admin/oauth/clients: the service role lists, adds, reads, changes and deletes clients of the OAuth server. */
import { z } from 'zod';
import { isUuid } from '../../http/uuid.ts';
import { type AuthCall, type Endpoint, readBody, requireServiceRole, validate } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { changedClientFields, newClientFields, registrationBody, updateBody } from '../oauth/client-fields.ts';
import {
  clientJson,
  deleteClient,
  findClient,
  insertClient,
  type OAuthClient,
  replaceSecret,
  SELECT_CLIENTS,
  updateClient,
} from '../oauth/clients.ts';
import { requireOAuthServer } from '../oauth/server.ts';

const pageField = (max: number, defaultValue: number) =>
  z.preprocess((value) => value || defaultValue, z.coerce.number().int().min(1).max(max));

const paging = z.object({ page: pageField(1_000_000, 1), per_page: pageField(1000, 50) });

export const listClients: Endpoint = async (call) => {
  await requireAdmin(call);
  const { page, per_page: perPage } = validate(paging, Object.fromEntries(call.url.searchParams));
  const { database } = call.auth;
  const count = await database.query<{ total: number }>(
    'select count(*) as total from auth.oauth_clients where deleted_at is null',
  );
  const total = Number(count.rows[0]?.total ?? 0);
  const { rows } = await database.query<OAuthClient>(
    `${SELECT_CLIENTS} order by created_at desc, id limit $1 offset $2`,
    [perPage, (page - 1) * perPage],
  );
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number, rel: string) => `<${call.url.pathname}?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  return Response.json(
    { clients: rows.map((client) => clientJson(client)), aud: 'authenticated' },
    {
      headers: {
        'x-total-count': String(total),
        link: [...(page < lastPage ? [link(page + 1, 'next')] : []), link(lastPage, 'last')].join(', '),
      },
    },
  );
};

export const createClient: Endpoint = async (call) => {
  await requireAdmin(call);
  const fields = newClientFields(await readBody(call, registrationBody));
  const { id, secret } = await insertClient(call.auth.database, fields, 'manual');
  return Response.json(clientJson(await requireClient(call, id), secret), { status: 201 });
};

export const readClient: Endpoint = async (call, { id = '' }) => {
  await requireAdmin(call);
  return Response.json(clientJson(await requireClient(call, id)));
};

export const changeClient: Endpoint = async (call, { id = '' }) => {
  await requireAdmin(call);
  const client = await requireClient(call, id);
  const fields = changedClientFields(client, await readBody(call, updateBody));
  await updateClient(call.auth.database, client.id, fields);
  return Response.json(clientJson(await requireClient(call, id)));
};

export const deleteClientById: Endpoint = async (call, { id = '' }) => {
  await requireAdmin(call);
  const client = await requireClient(call, id);
  await call.auth.database.transaction((tx) => deleteClient(tx, client.id));
  return new Response(null, { status: 204 });
};

export const regenerateSecret: Endpoint = async (call, { id = '' }) => {
  await requireAdmin(call);
  const client = await requireClient(call, id);
  if (client.client_type === 'public') {
    throw authError('validation_failed', 'Cannot regenerate secret for public client');
  }
  const secret = await replaceSecret(call.auth.database, client.id);
  return Response.json(clientJson(await requireClient(call, id), secret));
};

async function requireAdmin(call: AuthCall): Promise<void> {
  await requireServiceRole(call);
  requireOAuthServer(call);
}

/** @throws ApiError 404 oauth_client_not_found; 400 validation_failed if the id is not a UUID */
async function requireClient(call: AuthCall, id: string): Promise<OAuthClient> {
  if (!isUuid(id)) throw authError('validation_failed', 'invalid client_id format');
  const client = await findClient(call.auth.database, id);
  if (!client) throw authError('oauth_client_not_found');
  return client;
}
