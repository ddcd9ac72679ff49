import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await api.backend.database.script(`
    create table public.directors (id int primary key, name text not null, born date, facts jsonb);
    create table public.films (
      id int primary key, title text not null, year int, rating numeric, tags text[] not null default '{}',
      director_id int references public.directors (id), released boolean
    );
    create table public.actors (id int primary key, name text not null);
    create table public.roles (
      film_id int references public.films (id), actor_id int references public.actors (id), character text,
      primary key (film_id, actor_id)
    );
    grant select, insert, update, delete on public.directors, public.films, public.actors, public.roles to anon;
    insert into public.directors values
      (1, 'Agnès Varda', '1928-05-30', '{"country":{"code":"BE"},"awards":["a","b"]}'), (2, 'Bong, Joon-ho', '1969-09-14', null);
    insert into public.films values
      (1, 'Cléo', 1962, 7.9, '{paris,drama}', 1, true), (2, 'Vagabond', 1985, 7.7, '{drama}', 1, true),
      (3, 'Parasite', 2019, 8.5, '{seoul}', 2, true), (4, 'Untitled', null, null, '{}', null, null);
    insert into public.actors values (1, 'Corinne Marchand'), (2, 'Song Kang-ho'), (3, 'Sandrine Bonnaire');
    insert into public.roles values (1, 1, 'Cléo'), (2, 3, 'Mona'), (3, 2, 'Ki-taek');
    notify pgrst, 'reload schema';
  `);
});
afterAll(() => api.close());

test('A visitor selects columns, filters, orders and pages', async () => {
  const { data, error } = await api.visitor
    .from('films')
    .select('title,year')
    .in('director_id', [1, 2])
    .order('year', { ascending: false })
    .range(0, 1);
  expect(error).toBeNull();
  expect(data).toEqual([
    { title: 'Parasite', year: 2019 },
    { title: 'Vagabond', year: 1985 },
  ]);
});

test('A single row comes as an object, and anything else is refused', async () => {
  const one = await api.visitor.from('films').select('title').eq('id', 1).single();
  expect(one.data).toEqual({ title: 'Cléo' });
  const none = await api.visitor.from('films').select('title').eq('id', 99).single();
  expect(none.status).toBe(406);
  expect(none.error).toMatchObject({
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: 'The result contains 0 rows',
  });
});

test('Embedded resources come along foreign keys, through join tables, spread and filtered', async () => {
  const { data, error } = await api.visitor
    .from('films')
    .select('title, directors(name), actors!inner(name)')
    .order('id');
  expect(error).toBeNull();
  expect(data).toEqual([
    { title: 'Cléo', directors: { name: 'Agnès Varda' }, actors: [{ name: 'Corinne Marchand' }] },
    { title: 'Vagabond', directors: { name: 'Agnès Varda' }, actors: [{ name: 'Sandrine Bonnaire' }] },
    { title: 'Parasite', directors: { name: 'Bong, Joon-ho' }, actors: [{ name: 'Song Kang-ho' }] },
  ]);
});
