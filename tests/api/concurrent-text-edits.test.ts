/** Saving a section or a setting after another admin has changed it. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());

const HEADER = 'x-opened-version';

const TEXTS = [
  {
    table: 'page_content',
    column: 'content',
    onConflict: 'page_slug,section_name',
    key: (name: string) => ({ page_slug: 'home', section_name: name }),
  },
  {
    table: 'site_settings',
    column: 'setting_value',
    onConflict: 'setting_key',
    key: (name: string) => ({ setting_key: name }),
  },
] as const;

describe.each(TEXTS)('$table', ({ table, column, onConflict, key }) => {
  async function save(name: string, text: string, version?: string) {
    const request = admin.from(table).upsert<object>({ ...key(name), [column]: text }, { onConflict });
    if (version !== undefined) request.setHeader(HEADER, version);
    return request.select('updated_at').maybeSingle<{ updated_at: string }>();
  }

  async function saveText(name: string, text: string, version?: string): Promise<string> {
    const { data, error } = await save(name, text, version);
    expect(error).toBeNull();
    return data?.updated_at ?? '';
  }

  async function readText(name: string): Promise<unknown> {
    const { data } = await site.service.from(table).select(column).match(key(name)).throwOnError();
    return (data[0] as Record<string, unknown> | undefined)?.[column];
  }

  const STALE = { status: 412, error: { code: 'PT412' } };

  test('saving over the opened version succeeds repeatedly', async () => {
    const first = await saveText('own', 'a', 'none');
    const second = await saveText('own', 'b', first);
    await saveText('own', 'c', second);
    expect(await readText('own')).toBe('c');
  });

  test('saving over an older version is rejected and changes nothing', async () => {
    const opened = await saveText('shared', 'a');
    await saveText('shared', 'theirs');
    expect(await save('shared', 'mine', opened)).toMatchObject(STALE);
    expect(await readText('shared')).toBe('theirs');
  });

  test('saving for the first time is rejected if another admin has already saved', async () => {
    await saveText('first', 'theirs');
    expect(await save('first', 'mine', 'none')).toMatchObject(STALE);
    expect(await readText('first')).toBe('theirs');
  });

  test('saving over a version that was reset is rejected', async () => {
    const opened = await saveText('reset', 'a');
    await admin.from(table).delete().match(key('reset')).throwOnError();
    expect(await save('reset', 'mine', opened)).toMatchObject(STALE);
    expect(await readText('reset')).toBeUndefined();
  });

  test('resetting is rejected if another admin has saved a newer version, and succeeds for the opened version', async () => {
    const opened = await saveText('deleted', 'a');
    const newer = await saveText('deleted', 'theirs');
    const remove = (version: string) => admin.from(table).delete().match(key('deleted')).setHeader(HEADER, version);
    expect(await remove(opened)).toMatchObject(STALE);
    expect(await readText('deleted')).toBe('theirs');
    expect((await remove(newer)).error).toBeNull();
    expect(await readText('deleted')).toBeUndefined();
  });

  test('saving without a version overwrites the current version', async () => {
    await saveText('plain', 'a');
    await saveText('plain', 'b');
    expect(await readText('plain')).toBe('b');
  });

  test('one of two concurrent saves of the same version is rejected', async () => {
    const opened = await saveText('race', 'a');
    const outcomes = await Promise.all([save('race', 'one', opened), save('race', 'two', opened)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('the error does not reveal to other users whether a text is saved', async () => {
    await saveText('private', 'a');
    const { client } = await site.signedIn('client');
    for (const name of ['private', 'nothing']) {
      const request = client.from(table).upsert<object>({ ...key(name), [column]: 'forged' }, { onConflict });
      expect((await request.setHeader(HEADER, '2026-01-01T00:00:00Z')).error?.code).toBe('42501');
    }
    expect(await readText('private')).toBe('a');
  });

  test('a version that is not a timestamp is a bad request', async () => {
    await saveText('odd', 'a');
    expect(await save('odd', 'mine', 'yesterday-ish')).toMatchObject({ status: 400, error: { code: '22007' } });
  });
});
