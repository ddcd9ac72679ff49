/** Relationships that are not foreign keys of a table: functions with a row parameter, and views that select keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSchema, createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
  await changeSchema(api, COMPUTED);
});
afterAll(() => api.close());

const COMPUTED = `
  create function public.late_films(directors) returns setof public.films language sql stable
    as 'select * from public.films where director_id = $1.id and year > 1980';
  create function public.first_film(directors) returns setof public.films rows 1 language sql stable
    as 'select * from public.films where director_id = $1.id order by year limit 1';
  create function public.poster_row(films) returns public.posters language sql stable
    as 'select * from public.posters where film_id = $1.id';
  create function public.cast_of(films) returns setof public.actors language sql stable
    as 'select a.* from public.actors a join public.roles r on r.actor_id = a.id where r.film_id = $1.id';
  create function public.cast_of(screenings) returns setof public.actors language sql stable
    as 'select a.* from public.actors a join public.roles r on r.actor_id = a.id where r.film_id = $1.opening_film_id';
  create function public.secret_of(films) returns setof public.secrets language sql stable as 'select * from public.secrets';
  create function public.posters(films) returns setof public.posters language sql stable
    as $$ select $1.id, 'computed.png' where $1.id = 1 $$;

  create schema hidden;
  create table hidden.studios (id int primary key, name text);
  create table hidden.lots (id int primary key, studio_id int references hidden.studios (id));
  insert into hidden.studios values (1, 'Ciné-Tamaris');
  insert into hidden.lots values (7, 1);
  create view public.studios as select id as number, name from hidden.studios;
  create view public.lots as select l.id, s.name as studio_name, l.studio_id from hidden.lots l join hidden.studios s on s.id = l.studio_id;

  create view public.film_cards as select f.id as card, f.title, d.name, f.director_id as by_id from public.films f left join public.directors d on d.id = f.director_id;
  create view public.card_titles as select card as "Card No.", by_id, title from (select * from public.film_cards) as inside;
  create view public.role_sheets as select film_id, actor_id, character from public.roles;
  create view public.marked_films as select id, title, director_id, director_id as again from public.films;
  grant select on public.studios, public.lots, public.film_cards, public.card_titles, public.role_sheets, public.marked_films to anon, service_role;
  grant update on public.marked_films to anon;
  grant execute on function public.late_films, public.first_film, public.poster_row, public.cast_of(public.films),
    public.cast_of(public.screenings), public.secret_of, public.posters to anon;
`;

const get = async (path: string) => (await rawRequest(api, 'GET', path)).json;

test('A function with a row parameter is embedded as a list, and as an object if it returns a single row', async () => {
  expect(await get('directors?select=name,late_films(title),first:first_film(title)&order=id')).toEqual([
    { name: 'Agnès Varda', late_films: [{ title: 'Vagabond' }], first: { title: 'Cléo' } },
    { name: 'Bong, Joon-ho', late_films: [{ title: 'Parasite' }], first: { title: 'Parasite' } },
  ]);
  expect(await get('films?select=id,poster_row(url)&id=in.(1,2)&order=id')).toEqual([
    { id: 1, poster_row: { url: 'cleo.png' } },
    { id: 2, poster_row: { url: null } },
  ]);
});

test('A computed relationship can be nested, filtered, ordered, limited and spread, and supports !inner', async () => {
  expect(await get('directors?select=id,late_films!inner(id,cast_of(name))&late_films.year=gt.2000')).toEqual([
    { id: 2, late_films: [{ id: 3, cast_of: [{ name: 'Song Kang-ho' }] }] },
  ]);
  expect(await get('directors?select=...first_film(title)&order=first_film(year).desc')).toEqual([
    { title: 'Parasite' },
    { title: 'Cléo' },
  ]);
  expect(await get('films?select=id,cast_of()&cast_of=is.null')).toEqual([{ id: 4 }]);
  const { count } = await api.visitor
    .from('directors')
    .select('id, late_films!inner(id)', { count: 'exact' })
    .eq('late_films.year', 1985);
  expect(count).toBe(1);
});

test('The row type selects the overload, and a function replaces the relationship of the same name', async () => {
  expect(await get('screenings?select=id,cast_of(name)')).toEqual([{ id: 1, cast_of: [{ name: 'Corinne Marchand' }] }]);
  expect(await get('films?select=id,posters(url)&id=lt.3&order=id')).toEqual([
    { id: 1, posters: [{ url: 'computed.png' }] },
    { id: 2, posters: [] },
  ]);
});

test('A computed relationship can be embedded in the results of a function and of a write', async () => {
  expect((await api.visitor.rpc('films_since', { since: 2000 }).select('title, cast_of(name)')).data).toEqual([
    { title: 'Parasite', cast_of: [{ name: 'Song Kang-ho' }] },
  ]);
  const { data } = await api.visitor
    .from('films')
    .update({ released: true })
    .eq('id', 1)
    .select('title_length, cast_of(name), poster_row(url)');
  expect(data).toEqual([{ title_length: 4, cast_of: [{ name: 'Corinne Marchand' }], poster_row: { url: 'cleo.png' } }]);
});

test('A computed relationship cannot read more than the caller', async () => {
  expect(await rawRequest(api, 'GET', 'films?select=id,secret_of(word)')).toMatchObject({
    status: 401,
    json: { code: '42501', message: 'permission denied for table secrets' },
  });
});

test('A function without a row parameter is not a relationship', async () => {
  expect(await get('films?select=id,best_film(id)')).toMatchObject({ code: 'PGRST200' });
});

test('A view has the relationships of its columns, to tables and to views', async () => {
  expect(await get('film_cards?select=title,directors(name),roles(character)&card=eq.1')).toEqual([
    { title: 'Cléo', directors: { name: 'Agnès Varda' }, roles: [{ character: 'Cléo' }] },
  ]);
  expect(await get('directors?select=film_cards(title)&id=eq.2')).toEqual([{ film_cards: [{ title: 'Parasite' }] }]);
  expect(await get('role_sheets?select=character,film_cards(name)&film_id=eq.2')).toEqual([
    { character: 'Mona', film_cards: { name: 'Agnès Varda' } },
  ]);
});

test('A view of a view is resolved to the table, through subqueries and renamed columns', async () => {
  expect(await get('card_titles?select=title,directors(name),roles(character)&"Card No."=eq.2')).toEqual([
    { title: 'Vagabond', directors: { name: 'Agnès Varda' }, roles: [{ character: 'Mona' }] },
  ]);
});

test('A view of a join table is also a join table, so embedding requires a hint', async () => {
  expect(await get('film_cards?select=title,actors(name)&card=eq.3')).toMatchObject({
    code: 'PGRST201',
    hint: "Try changing 'actors' to one of the following: 'actors!role_sheets', 'actors!roles'. Find the desired relationship in the 'details' key.",
  });
  expect(await get('film_cards?select=title,actors!roles(name)&card=eq.3')).toEqual([
    { title: 'Parasite', actors: [{ name: 'Song Kang-ho' }] },
  ]);
  expect(await get('actors?select=name,film_cards!role_sheets(title)&id=eq.1')).toEqual([
    { name: 'Corinne Marchand', film_cards: [{ title: 'Cléo' }] },
  ]);
});

test('Views are related by the keys of tables that are not exposed', async () => {
  expect(await get('lots?select=id,studios(name)')).toEqual([{ id: 7, studios: { name: 'Ciné-Tamaris' } }]);
  expect(await get('studios?select=name,lots(id)')).toEqual([{ name: 'Ciné-Tamaris', lots: [{ id: 7 }] }]);
});

test('A view that selects a key column twice has two relationships, which are selected by column name', async () => {
  expect(await rawRequest(api, 'GET', 'marked_films?select=directors(name)')).toMatchObject({ status: 300 });
  expect(await get('marked_films?select=directors!again(name)&id=eq.1')).toEqual([
    { directors: { name: 'Agnès Varda' } },
  ]);
  expect(await get('marked_films?select=director_id(name)&id=eq.1')).toEqual([
    { director_id: { name: 'Agnès Varda' } },
  ]);
});

test('A view that selects a primary key is writable', async () => {
  const response = await rawRequest(api, 'PATCH', 'marked_films?id=eq.2&select=title,directors!again(name)', {
    body: { title: 'Sans toit ni loi' },
    headers: { prefer: 'return=representation' },
  });
  expect(response.json).toEqual([{ title: 'Sans toit ni loi', directors: { name: 'Agnès Varda' } }]);
});
