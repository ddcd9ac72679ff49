import { expect, test, vi } from 'vitest';
import { PageCache, type Rendered } from './page-cache.ts';
import { StoredResponse } from './stored-response.ts';

const MINUTE = 60_000;
const page = (text: string, status = 200) => new StoredResponse(status, {}, Buffer.from(text));
const publicPage = (text: string): Rendered => ({ response: page(text), isPublic: true });

test('A public page is rendered once and kept; one that is not public is rendered for each who asks', async () => {
  const pages = new PageCache(MINUTE);
  const response = await pages.render('/', async () => publicPage('home'));
  expect(pages.get('/')).toBe(response);

  await pages.render('/mine', async () => ({ response: page('mine'), isPublic: false }));
  expect(pages.get('/mine')).toBeUndefined();
});

test('Those who ask at the same time share one render, unless its answer is not public', async () => {
  const pages = new PageCache(MINUTE);
  let renders = 0;
  const render = async () => {
    renders += 1;
    return publicPage('home');
  };
  const [one, other] = await Promise.all([pages.render('/', render), pages.render('/', render)]);
  expect(one).toBe(other);
  expect(renders).toBe(1);

  const own = async () => ({ response: page('mine'), isPublic: false });
  const [mine, yours] = await Promise.all([pages.render('/mine', own), pages.render('/mine', own)]);
  expect(mine).not.toBe(yours);
});

test('A render that began before a change is neither kept nor given to those who ask after it', async () => {
  const pages = new PageCache(MINUTE);
  const slow = Promise.withResolvers<Rendered>();
  const before = pages.render('/', () => slow.promise);
  pages.drop();
  const after = pages.render('/', async () => publicPage('new'));
  slow.resolve(publicPage('old'));

  expect(await before).not.toBe(await after);
  expect(pages.get('/')).toBe(await after);
});

test('A render that fails is tried again by the next who asks', async () => {
  const pages = new PageCache(MINUTE);
  await expect(pages.render('/', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const response = await pages.render('/', async () => publicPage('home'));
  expect(pages.get('/')).toBe(response);
});

test('Pages are forgotten when they are too old', async () => {
  const pages = new PageCache(1);
  await pages.render('/', async () => publicPage('home'));
  await vi.waitFor(() => expect(pages.get('/')).toBeUndefined(), { interval: 1 });
});

test('Guessed addresses push out each other, but no page that exists', async () => {
  const pages = new PageCache(MINUTE);
  await pages.render('/', async () => publicPage('home'));
  const large = 'x'.repeat(1024 * 1024);
  for (let guess = 0; guess < 8; guess++) {
    await pages.render(`/?guess=${guess}`, async () => publicPage(large));
    await pages.render(`/guess-${guess}`, async () => ({ response: page(large, 404), isPublic: true }));
  }
  expect(pages.get('/')).toBeDefined();
  expect(pages.get('/?guess=0')).toBeUndefined();
  expect(pages.get('/guess-0')).toBeUndefined();
  expect(pages.get('/guess-7')).toBeDefined();
});
