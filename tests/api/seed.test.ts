import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STARTER_ITEMS } from '../../app/content/samples.ts';
import { defaultServices } from '../../app/content/services/published-defaults.ts';
import { seed } from '../../packages/backend/src/database/seed.ts';
import { openTestDatabase } from '../support/test-database.ts';

const SEED_FILE = join(import.meta.dirname, '../../supabase/seed.sql');
const TABLES = ['posts', 'projects', 'services', 'reviews', 'team_members'];

test('The starter content fills every list, and a second run changes nothing', async () => {
  const database = await openTestDatabase();
  const countRows = async () => {
    const rows = TABLES.map((table) => `select '${table}' as name, count(*)::int as n from public.${table}`);
    const result = await database.query<{ name: string; n: number }>(rows.join(' union all '));
    return Object.fromEntries(result.rows.map(({ name, n }) => [name, Number(n)]));
  };
  await seed(database, SEED_FILE);
  const first = await countRows();
  expect(first).toEqual({ posts: 6, projects: 5, services: 3, reviews: 5, team_members: 4 });
  await seed(database, SEED_FILE);
  expect(await countRows()).toEqual(first);
  await database.close();
});

test('Starter posts are from the weeks before the first start, and a later start keeps their dates', async () => {
  const database = await openTestDatabase();
  const readDates = async () => {
    const { rows } = await database.query<{ date: string }>(
      'select published_date::text as date from public.posts order by published_date desc',
    );
    return rows.map(({ date }) => date);
  };
  await seed(database, SEED_FILE);
  const [newest = '', ...older] = await readDates();
  const ageInDays = (Date.now() - Date.parse(newest)) / 86_400_000;
  expect(ageInDays).toBeGreaterThan(3);
  expect(ageInDays).toBeLessThan(12);
  expect(new Set(older).size).toBe(5);
  await database.query("update public.posts set published_date = published_date - interval '1 year'");
  const moved = await readDates();
  await seed(database, SEED_FILE);
  expect(await readDates()).toEqual(moved);
  await database.close();
});

test('The starter services are exactly the three default services', async () => {
  const database = await openTestDatabase();
  await seed(database, SEED_FILE);
  const { rows } = await database.query<{ service: string }>(
    `select json_build_object('title', title, 'slug', slug, 'icon_name', icon_name, 'short_description', short_description,
       'long_description', long_description, 'timeline', timeline, 'pricing', pricing, 'deliverables', deliverables)::text as service
     from public.services order by display_order`,
  );
  expect(rows.map(({ service }) => JSON.parse(service))).toEqual(
    defaultServices.map(({ id: _, ...service }) => service),
  );
  await database.close();
});

test('The error of a failed seed file contains its name', async () => {
  const database = await openTestDatabase();
  await expect(seed(database, 'no-such-file.sql')).rejects.toThrow('no-such-file.sql failed');
  await database.close();
});

test('The sample content shown to admins is exactly the invented starter content', async () => {
  const database = await openTestDatabase();
  await seed(database, SEED_FILE);
  for (const { kind, titles } of STARTER_ITEMS) {
    const { rows } = await database.query<{ title: string }>(
      `select ${kind.titleColumn} as title from public.${kind.table}`,
    );
    expect(rows.map(({ title }) => title).sort()).toEqual([...titles].sort());
  }
  await database.close();
});
