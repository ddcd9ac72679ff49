/** Signed URLs of client files neither replace a file nor outlive the access of the user who signed them. */
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { resumableOptions, uploadResumably } from '../support/resumable-upload.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const BUCKET = 'client-files';
const DECK = 'The deck that was agreed.';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
});
afterAll(() => site.close());

const text = (content: string) => new Blob([content], { type: 'text/plain' });
const files = (client: SupabaseClient) => client.storage.from(BUCKET);
const newName = () => `${fjell.id}/${crypto.randomUUID()}.txt`;
const readContent = async (name: string) => (await files(admin).download(name)).data?.text();

async function newFile(): Promise<string> {
  const { data } = await files(fjell.worker.client).upload(newName(), text(DECK));
  return data?.path ?? '';
}

/** Adds a team member whose access is removed during the test. */
async function newTeamMember() {
  const teamMember = await site.signedIn('team');
  await admin.from('client_assignments').insert({ client_id: fjell.id, user_id: teamMember.id }).throwOnError();
  return teamMember;
}

async function removeAccess(teamMember: { id: string }) {
  await admin.from('client_assignments').delete().eq('user_id', teamMember.id).throwOnError();
}

describe('A signed upload', () => {
  test('is rejected as an upsert, by every upload method, even if the name is free', async () => {
    for (const client of [fjell.worker.client, admin]) {
      const name = newName();
      expect((await files(client).createSignedUploadUrl(name, { upsert: true })).error).not.toBeNull();
      expect((await files(client).upload(name, text(DECK), { upsert: true })).error).not.toBeNull();
      expect((await files(client).createSignedUploadUrl(name)).error).toBeNull();
    }
    const { token } = fjell.worker;
    const options = resumableOptions({ site: site.url, token, name: newName(), bucket: BUCKET });
    const headers = { ...options.headers, 'x-upsert': 'true' };
    await expect(uploadResumably(Buffer.from(DECK), { ...options, headers })).rejects.toThrow(/403|400/);
    await uploadResumably(Buffer.from(DECK), options);
  });

  test('does not replace a file that was stored after the URL was signed', async () => {
    const name = newName();
    const { data } = await files(fjell.worker.client).createSignedUploadUrl(name);
    await files(fjell.worker.client).upload(name, text(DECK));
    expect(
      (await files(site.visitor).uploadToSignedUrl(name, data?.token ?? '', text('Swapped.'))).error,
    ).not.toBeNull();
    expect(await readContent(name)).toBe(DECK);
  });

  test('is accepted until its signer loses access', async () => {
    const teamMember = await newTeamMember();
    const [earlyName, lateName] = [newName(), newName()];
    const sign = async (name: string) => (await files(teamMember.client).createSignedUploadUrl(name)).data?.token ?? '';
    const [earlyToken, lateToken] = [await sign(earlyName), await sign(lateName)];
    expect((await files(site.visitor).uploadToSignedUrl(earlyName, earlyToken, text(DECK))).error).toBeNull();
    await removeAccess(teamMember);
    expect((await files(site.visitor).uploadToSignedUrl(lateName, lateToken, text(DECK))).error).not.toBeNull();
    const options = resumableOptions({ site: site.url, token: '', name: lateName, bucket: BUCKET });
    const signedOptions = { ...options, endpoint: `${options.endpoint}/sign`, headers: { 'x-signature': lateToken } };
    await expect(uploadResumably(Buffer.from(DECK), signedOptions)).rejects.toThrow(/403|400/);
    expect(await readContent(lateName)).toBeUndefined();
  });
});

test('The service role cannot replace a stored file either', async () => {
  const name = await newFile();
  expect((await files(site.service).upload(name, text('Swapped.'), { upsert: true })).error).not.toBeNull();
  expect((await files(site.service).update(name, text('Swapped.'))).error).not.toBeNull();
  expect((await files(site.service).move(name, newName())).error).not.toBeNull();
  expect(await readContent(name)).toBe(DECK);
});

test('A decision on a file stores the SHA-256 of its bytes, and a decision on a text stores null', async () => {
  const name = await newFile();
  const { data: file } = await admin.from('client_files').select('id').eq('object_name', name).single().throwOnError();
  const request = { _client_id: fjell.id, _title: 'Deck', _text: 'For the first call.' };
  const { data: id } = await admin.rpc('ask_for_file_approval', { ...request, _file_id: file?.id }).throwOnError();
  const { data: textId } = await admin.rpc('ask_for_approval', request).throwOnError();
  for (const approval of [id, textId]) {
    const decision = { _client_id: fjell.id, _approval_id: approval, _number: 1, _verdict: 'yes' };
    await fjell.member.client.rpc('decide_approval', decision).throwOnError();
  }
  const readHash = async (approval: string) => {
    const { data } = await fjell.member.client
      .from('approval_decisions')
      .select('file_sha256')
      .eq('approval_id', approval);
    return data?.[0]?.file_sha256;
  };
  expect(await readHash(id)).toBe(createHash('sha256').update(DECK).digest('hex'));
  expect(await readHash(textId)).toBeNull();
});

describe('A signed URL of a file', () => {
  test('is valid for at most an hour, even in a batch', async () => {
    const name = await newFile();
    for (const client of [fjell.member.client, fjell.worker.client, admin, site.service]) {
      expect((await files(client).createSignedUrl(name, 3600)).error).toBeNull();
      expect((await files(client).createSignedUrl(name, 3601)).error?.message).toContain('at most 3600 seconds');
      expect((await files(client).createSignedUrls([name], 3601)).error?.message).toContain('at most 3600 seconds');
    }
  });

  test('is rejected after its signer has lost access, even for a resized picture', async () => {
    const teamMember = await newTeamMember();
    const name = await newFile();
    const { data } = await files(teamMember.client).createSignedUrl(name, 600);
    const { data: batch } = await files(teamMember.client).createSignedUrls([name], 600);
    const transformed = await files(teamMember.client).createSignedUrl(name, 600, { transform: { width: 50 } });
    const urls = [data?.signedUrl, batch?.[0]?.signedUrl].map(String);
    for (const url of urls) {
      const response = await fetch(url);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      await response.arrayBuffer();
    }
    await removeAccess(teamMember);
    for (const url of [...urls, String(transformed.data?.signedUrl)]) {
      const response = await fetch(url);
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'NoSuchKey' }]);
    }
  });

  test('is rejected after the session of its signer has ended', async () => {
    const teamMember = await newTeamMember();
    const { data } = await files(teamMember.client).createSignedUrl(await newFile(), 600);
    expect((await fetch(String(data?.signedUrl))).status).toBe(200);
    const headers = { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${teamMember.token}` };
    expect((await fetch(`${site.url}/auth/v1/logout`, { method: 'POST', headers })).status).toBe(204);
    expect((await fetch(String(data?.signedUrl))).status).toBe(400);
  });

  test('is not cached, while a public file is', async () => {
    const name = await newFile();
    const get = (path: string, token?: string) =>
      fetch(`${site.url}/storage/v1/object/${path}`, {
        headers: { apikey: PUBLISHABLE_KEY, ...(token && { authorization: `Bearer ${token}` }) },
      });
    for (const path of [`authenticated/${BUCKET}/${name}`, `${BUCKET}/${name}`]) {
      expect((await get(path, fjell.member.token)).headers.get('cache-control')).toBe('private, no-store');
    }
    await admin.storage.from('content-media').upload('page.png', await picture(9, 9), { cacheControl: '60' });
    expect((await get('public/content-media/page.png')).headers.get('cache-control')).toBe('max-age=60');
  });
});
