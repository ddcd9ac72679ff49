import { expect, test, vi } from 'vitest';
import { PageCache, type PageCacheOptions } from './page-cache.ts';
import type { Rendered } from './render-queue.ts';
import { type Asker, UnavailableError } from './render-queue.ts';
import { StoredResponse } from './stored-response.ts';

const MINUTE = 60_000;
const page = (text: string, status = 200) => new StoredResponse(status, {}, Buffer.from(text));
const somebody = (signal = new AbortController().signal): Asker => ({
  turnPath: ['192.0.2.0/24', '192.0.2.1'],
  signal,
});
const publicPage = (text: string): Rendered => ({ response: page(text), isPublic: true });

test('A public page is rendered once and kept; one that is not public is rendered for each who asks', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  const response = await pages.render('/', somebody(), async () => publicPage('home'));
  expect(pages.get('/')).toBe(response);

  await pages.render('/mine', somebody(), async () => ({ response: page('mine'), isPublic: false }));
  expect(pages.get('/mine')).toBeUndefined();
});

test('Those who ask at the same time share one render, unless its answer is not public', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  let renders = 0;
  const render = async () => {
    renders += 1;
    return publicPage('home');
  };
  const [one, other] = await Promise.all([
    pages.render('/', somebody(), render),
    pages.render('/', somebody(), render),
  ]);
  expect(one).toBe(other);
  expect(renders).toBe(1);

  const own = async () => ({ response: page('mine'), isPublic: false });
  const [mine, yours] = await Promise.all([
    pages.render('/mine', somebody(), own),
    pages.render('/mine', somebody(), own),
  ]);
  expect(mine).not.toBe(yours);
});

test('A render that began before a change is neither kept nor given to those who ask after it', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  const slow = Promise.withResolvers<Rendered>();
  const isBegun = Promise.withResolvers<void>();
  const before = pages.render('/', somebody(), () => {
    isBegun.resolve();
    return slow.promise;
  });
  await isBegun.promise;
  pages.drop();
  const after = pages.render('/', somebody(), async () => publicPage('new'));
  slow.resolve(publicPage('old'));

  expect(await before).not.toBe(await after);
  expect(pages.get('/')).toBe(await after);
});

test('A render that fails is tried again by the next who asks', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  await expect(pages.render('/', somebody(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const response = await pages.render('/', somebody(), async () => publicPage('home'));
  expect(pages.get('/')).toBe(response);
});

test('Pages are forgotten when they are too old', async () => {
  const pages = new PageCache({ maxAge: 1 });
  await pages.render('/', somebody(), async () => publicPage('home'));
  await vi.waitFor(() => expect(pages.get('/')).toBeUndefined(), { interval: 1 });
});

test('Guessed addresses push out each other, but no page that exists', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  await pages.render('/', somebody(), async () => publicPage('home'));
  const large = 'x'.repeat(1024 * 1024);
  for (let guess = 0; guess < 8; guess++) {
    await pages.render(`/?guess=${guess}`, somebody(), async () => publicPage(large));
    await pages.render(`/guess-${guess}`, somebody(), async () => ({ response: page(large, 404), isPublic: true }));
  }
  expect(pages.get('/')).toBeDefined();
  expect(pages.get('/?guess=0')).toBeUndefined();
  expect(pages.get('/guess-0')).toBeUndefined();
  expect(pages.get('/guess-7')).toBeDefined();
});

test('Addresses without end push out each other, but no page', async () => {
  const pages = new PageCache({ maxAge: MINUTE, isEndless: (path) => path.startsWith('/admin/people/') });
  await pages.render('http://site/about', somebody(), async () => publicPage('about'));
  const large = 'x'.repeat(1024 * 1024);
  for (let guess = 0; guess < 70; guess++) {
    await pages.render(`http://site/admin/people/${guess}`, somebody(), async () => publicPage(large));
  }
  expect(pages.get('http://site/about')).toBeDefined();
  expect(pages.get('http://site/admin/people/0')).toBeUndefined();
  expect(pages.get('http://site/admin/people/69')).toBeDefined();
});

const isAway = () => Promise.reject(new UnavailableError('The database is away.'));

/** Creates a cache with a static page and an item page, both dropped. */
async function droppedPages(options: Partial<PageCacheOptions> = {}) {
  const pages = new PageCache({
    maxAge: MINUTE,
    keepsLast: true,
    isOfItem: (path) => path.startsWith('/news/'),
    ...options,
  });
  for (const path of ['/about', '/news/slug']) {
    await pages.render(`http://site${path}`, somebody(), async () => publicPage(path));
  }
  pages.drop();
  return pages;
}

test('The last page stands in while the backend is away, and for nothing else', async () => {
  const pages = await droppedPages();
  const last = await pages.render('http://site/about', somebody(), isAway);
  expect(last.body.toString()).toBe('/about');
  // Not cached: the next request tries again.
  expect(pages.get('http://site/about')).toBeUndefined();
  await expect(
    pages.render('http://site/about', somebody(), () => Promise.reject(new Error('a fault'))),
  ).rejects.toThrow('a fault');
  const gone = await pages.render('http://site/about', somebody(), async () => ({
    response: page('gone', 404),
    isPublic: true,
  }));
  expect(gone.status).toBe(404);
  await expect(pages.render('http://site/about', somebody(), isAway)).rejects.toThrow(UnavailableError);
  await expect(pages.render('http://site/never-seen', somebody(), isAway)).rejects.toThrow(UnavailableError);
  expect(pages.figures().standIns).toBe(1);
});

test('The page of an item, which a change may have deleted, does not come back after a change', async () => {
  const pages = await droppedPages();
  await expect(pages.render('http://site/news/slug', somebody(), isAway)).rejects.toThrow(UnavailableError);
  const old = new PageCache({ maxAge: 1, keepsLast: true, isOfItem: () => true });
  await old.render('http://site/news/slug', somebody(), async () => publicPage('unchanged'));
  await vi.waitFor(() => expect(old.get('http://site/news/slug')).toBeUndefined(), { interval: 1 });
  expect((await old.render('http://site/news/slug', somebody(), isAway)).body.toString()).toBe('unchanged');
  const unheard = await droppedPages({ hearsOfChanges: false, maxAge: 1 });
  await expect(unheard.render('http://site/news/slug', somebody(), isAway)).rejects.toThrow(UnavailableError);
});

test('Behind the gate no page stands in, and a page without some of its content does where there is no other', async () => {
  const gated = await droppedPages({ keepsLast: false });
  await expect(gated.render('http://site/about', somebody(), isAway)).rejects.toThrow(UnavailableError);
  const partial = page('without its list');
  const render = () => Promise.reject(new UnavailableError('The database is away.', partial));
  expect(await gated.render('http://site/about', somebody(), render)).toBe(partial);
  expect(gated.get('http://site/about')).toBeUndefined();
  expect(await (await droppedPages()).render('http://site/about', somebody(), render)).not.toBe(partial);
});
