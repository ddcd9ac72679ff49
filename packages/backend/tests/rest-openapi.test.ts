import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignedInUser } from './support/factors.ts';
import { changeSchema, createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
let service: Record<string, string>;
beforeAll(async () => {
  api = await startTestBackend({ REST_SCHEMAS: 'public, extensions' });
  await createFilmTables(api);
  await changeSchema(
    api,
    `create type public.mood as enum ('calm', 'wild');
    create table public.sets (
      id bigint primary key, name varchar(20) not null default 'none', mood public.mood, extra jsonb, open boolean default true,
      sizes int[], price numeric(5, 2) default 1.5);
    create table public.hidden (id int);
    create view public.fixed as select 1 as one;
    grant all on public.sets, public.fixed to service_role; grant select on public.sets to anon`,
  );
  service = { apikey: api.backend.keys.secretKey };
});
afterAll(() => api.close());

type Document = Record<'paths' | 'definitions' | 'parameters', Record<string, unknown>>;
const describeWith = async (headers: Record<string, string>) =>
  (await rawRequest(api, 'GET', '', { headers: { ...service, ...headers } })).json as Document;

test('The official client reads the schema description', async () => {
  const client = new PostgrestClient(`${api.url}/rest/v1`, { headers: service });
  const { data, status } = await client.getOpenApiSpec();
  expect(status).toBe(200);
  expect(data).toMatchObject({
    swagger: '2.0',
    host: new URL(api.url).host,
    basePath: '/rest/v1/',
    schemes: ['http'],
    definitions: { films: { required: ['id', 'title', 'tags'] } },
  });
  const extensions = await client.schema('extensions').getOpenApiSpec();
  expect(Object.keys(extensions.data?.definitions ?? {})).not.toContain('films');
});

test('A column is described with its type, key, default, length and enum values', async () => {
  const { definitions } = await describeWith({ accept: 'application/json' });
  expect(definitions['sets']).toEqual({
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { format: 'bigint', type: 'integer', description: 'Note:\nThis is a Primary Key.<pk/>' },
      name: { format: 'character varying', type: 'string', default: 'none', maxLength: 20 },
      mood: { format: 'public.mood', type: 'string', enum: ['calm', 'wild'] },
      extra: { format: 'jsonb' },
      open: { format: 'boolean', type: 'boolean', default: true },
      sizes: { format: 'integer[]', type: 'array', items: { type: 'integer' } },
      price: { format: 'numeric', type: 'number', default: 1.5 },
    },
  });
  expect(definitions['roles']).toMatchObject({
    properties: {
      film_id: {
        description:
          "Note:\nThis is a Primary Key.<pk/>\nThis is a Foreign Key to `films.id`.<fk table='films' column='id'/>",
      },
    },
  });
});

test('Tables, views and functions list their methods, and all references resolve', async () => {
  const document = await describeWith({});
  const methods = (path: string) => Object.keys(document.paths[path] ?? {});
  expect(methods('/sets')).toEqual(['get', 'post', 'patch', 'delete']);
  expect(methods('/fixed')).toEqual(['get']);
  expect(methods('/rpc/add')).toEqual(['get', 'post']);
  expect(methods('/rpc/rename_film')).toEqual(['post']);
  expect(document.paths['/rpc/total']).toMatchObject({
    get: { parameters: [{ name: 'numbers', in: 'query', type: 'array', collectionFormat: 'multi' }] },
  });
  const references = JSON.stringify(document).match(/#\/(?:parameters|definitions)\/[^"]+/g) ?? [];
  for (const reference of new Set(references)) {
    const [, kind = '', name = ''] = /^#\/(\w+)\/(.*)$/.exec(reference) ?? [];
    expect([reference, Object.hasOwn(document[kind as keyof Document], name)]).toEqual([reference, true]);
  }
});

test('Objects that the role cannot access are not described', async () => {
  const { definitions, paths } = await describeWith({});
  expect(definitions).not.toHaveProperty('hidden');
  expect(definitions).not.toHaveProperty('secrets');
  expect(paths).not.toHaveProperty(['/rpc/restricted']);
});

test('Only the service role can read the description, by GET and HEAD, in the supported media types', async () => {
  const rejection = { status: 404, json: { code: 'PGRST126', message: 'Root endpoint metadata is disabled' } };
  expect(await rawRequest(api, 'GET', '')).toMatchObject(rejection);
  const { session } = await createSignedInUser(api);
  expect(
    await rawRequest(api, 'GET', '', { headers: { authorization: `Bearer ${session.access_token}` } }),
  ).toMatchObject(rejection);
  const head = await rawRequest(api, 'HEAD', '', { headers: service });
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    'application/openapi+json; charset=utf-8',
  ]);
  expect(await rawRequest(api, 'POST', '', { headers: service, body: {} })).toMatchObject({
    status: 405,
    json: { code: 'PGRST117' },
  });
  expect(await rawRequest(api, 'GET', '', { headers: { ...service, accept: 'text/csv' } })).toMatchObject({
    status: 406,
    json: { code: 'PGRST107' },
  });
  expect(
    await rawRequest(api, 'GET', 'films', { headers: { ...service, accept: 'application/openapi+json' } }),
  ).toMatchObject({ status: 406 });
});
