import { expect, test, vi } from 'vitest';
import { PageCache, type PageCacheOptions } from './page-cache.ts';
import type { Rendered } from './render-queue.ts';
import { type Requester, UnavailableError } from './render-queue.ts';
import { StoredResponse } from './stored-response.ts';

const MINUTE = 60_000;
const page = (text: string, status = 200) => new StoredResponse(status, {}, Buffer.from(text));
const visitor = (signal = new AbortController().signal): Requester => ({
  turnPath: ['192.0.2.0/24', '192.0.2.1'],
  signal,
});
const publicPage = (text: string): Rendered => ({ response: page(text), isPublic: true });

test('A public page is rendered once and cached, and a private page is not cached', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  const response = await pages.render('/', visitor(), async () => publicPage('home'));
  expect(pages.get('/')).toBe(response);

  await pages.render('/mine', visitor(), async () => ({ response: page('mine'), isPublic: false }));
  expect(pages.get('/mine')).toBeUndefined();
});

test('Simultaneous requests share one render, unless the response is private', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  let renders = 0;
  const render = async () => {
    renders += 1;
    return publicPage('home');
  };
  const [first, second] = await Promise.all([
    pages.render('/', visitor(), render),
    pages.render('/', visitor(), render),
  ]);
  expect(first).toBe(second);
  expect(renders).toBe(1);

  const renderPrivate = async () => ({ response: page('mine'), isPublic: false });
  const [firstPrivate, secondPrivate] = await Promise.all([
    pages.render('/mine', visitor(), renderPrivate),
    pages.render('/mine', visitor(), renderPrivate),
  ]);
  expect(firstPrivate).not.toBe(secondPrivate);
});

test('A render that started before a change is neither cached nor shared with later requests', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  const slow = Promise.withResolvers<Rendered>();
  const started = Promise.withResolvers<void>();
  const before = pages.render('/', visitor(), () => {
    started.resolve();
    return slow.promise;
  });
  await started.promise;
  pages.drop();
  const after = pages.render('/', visitor(), async () => publicPage('new'));
  slow.resolve(publicPage('old'));

  expect(await before).not.toBe(await after);
  expect(pages.get('/')).toBe(await after);
});

test('After a failed render, the next request renders again', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  await expect(pages.render('/', visitor(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const response = await pages.render('/', visitor(), async () => publicPage('home'));
  expect(pages.get('/')).toBe(response);
});

test('Pages expire after the maximum age', async () => {
  const pages = new PageCache({ maxAge: 1 });
  await pages.render('/', visitor(), async () => publicPage('home'));
  await vi.waitFor(() => expect(pages.get('/')).toBeUndefined(), { interval: 1, timeout: 120_000 });
});

test('Responses for guessed URLs evict each other, but not existing pages', async () => {
  const pages = new PageCache({ maxAge: MINUTE });
  await pages.render('/', visitor(), async () => publicPage('home'));
  const large = 'x'.repeat(1024 * 1024);
  for (let guess = 0; guess < 8; guess++) {
    await pages.render(`/?guess=${guess}`, visitor(), async () => publicPage(large));
    await pages.render(`/guess-${guess}`, visitor(), async () => ({ response: page(large, 404), isPublic: true }));
  }
  expect(pages.get('/')).toBeDefined();
  expect(pages.get('/?guess=0')).toBeUndefined();
  expect(pages.get('/guess-0')).toBeUndefined();
  expect(pages.get('/guess-7')).toBeDefined();
});

test('Pages at paths with arbitrary values evict each other, but not other pages', async () => {
  const pages = new PageCache({ maxAge: MINUTE, isEndless: (path) => path.startsWith('/admin/people/') });
  await pages.render('http://site/about', visitor(), async () => publicPage('about'));
  const large = 'x'.repeat(1024 * 1024);
  for (let guess = 0; guess < 70; guess++) {
    await pages.render(`http://site/admin/people/${guess}`, visitor(), async () => publicPage(large));
  }
  expect(pages.get('http://site/about')).toBeDefined();
  expect(pages.get('http://site/admin/people/0')).toBeUndefined();
  expect(pages.get('http://site/admin/people/69')).toBeDefined();
});

const rejectAsUnavailable = () => Promise.reject(new UnavailableError('The database is unavailable.'));

/** Creates a cache and drops its two pages, a static page and the page of an item. */
async function droppedPages(options: Partial<PageCacheOptions> = {}) {
  const pages = new PageCache({
    maxAge: MINUTE,
    servesStalePages: true,
    isItemPath: (path) => path.startsWith('/news/'),
    ...options,
  });
  for (const path of ['/about', '/news/slug']) {
    await pages.render(`http://site${path}`, visitor(), async () => publicPage(path));
  }
  pages.drop();
  return pages;
}

test('A stale page is served only while the backend is unavailable', async () => {
  const pages = await droppedPages();
  const staleResponse = await pages.render('http://site/about', visitor(), rejectAsUnavailable);
  expect(staleResponse.body.toString()).toBe('/about');
  // The failure is not cached, so the next request tries again.
  expect(pages.get('http://site/about')).toBeUndefined();
  await expect(
    pages.render('http://site/about', visitor(), () => Promise.reject(new Error('a fault'))),
  ).rejects.toThrow('a fault');
  const missingResponse = await pages.render('http://site/about', visitor(), async () => ({
    response: page('gone', 404),
    isPublic: true,
  }));
  expect(missingResponse.status).toBe(404);
  await expect(pages.render('http://site/about', visitor(), rejectAsUnavailable)).rejects.toThrow(UnavailableError);
  await expect(pages.render('http://site/never-seen', visitor(), rejectAsUnavailable)).rejects.toThrow(
    UnavailableError,
  );
  expect(pages.stats().staleServed).toBe(1);
});

test('The stale page of an item is not served after a change, because the item may be deleted', async () => {
  const pages = await droppedPages();
  await expect(pages.render('http://site/news/slug', visitor(), rejectAsUnavailable)).rejects.toThrow(UnavailableError);
  const old = new PageCache({ maxAge: 1, servesStalePages: true, isItemPath: () => true });
  await old.render('http://site/news/slug', visitor(), async () => publicPage('unchanged'));
  await vi.waitFor(() => expect(old.get('http://site/news/slug')).toBeUndefined(), { interval: 1, timeout: 120_000 });
  expect((await old.render('http://site/news/slug', visitor(), rejectAsUnavailable)).body.toString()).toBe('unchanged');
  const unnotified = await droppedPages({ isNotifiedOfChanges: false, maxAge: 1 });
  await expect(unnotified.render('http://site/news/slug', visitor(), rejectAsUnavailable)).rejects.toThrow(
    UnavailableError,
  );
});

test('The gate disables stale pages, and a partial page is served only if no stale page is available', async () => {
  const gated = await droppedPages({ servesStalePages: false });
  await expect(gated.render('http://site/about', visitor(), rejectAsUnavailable)).rejects.toThrow(UnavailableError);
  const partial = page('without its list');
  const render = () => Promise.reject(new UnavailableError('The database is unavailable.', partial));
  expect(await gated.render('http://site/about', visitor(), render)).toBe(partial);
  expect(gated.get('http://site/about')).toBeUndefined();
  expect(await (await droppedPages()).render('http://site/about', visitor(), render)).not.toBe(partial);
});
