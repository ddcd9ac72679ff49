import { expect, test } from 'vitest';
import type { Rendered } from './render-queue.ts';
import { RenderQueue, type Requester, UnavailableError } from './render-queue.ts';
import { StoredResponse } from './stored-response.ts';

const PUBLIC: Rendered = { response: new StoredResponse(200, {}, Buffer.from('page')), isPublic: true };

function requester(address = '192.0.2.1'): Requester & { leave: () => void } {
  const disconnected = new AbortController();
  return { turnPath: [address], signal: disconnected.signal, leave: () => disconnected.abort() };
}

/** Creates a queue whose two slots are busy until `end` is called, and records the order of later renders. */
function busyQueue() {
  const queue = new RenderQueue();
  const started: string[] = [];
  const hold = Promise.withResolvers<Rendered>();
  const blockers = ['first', 'second'].map((key) => queue.render(key, requester(), () => hold.promise));
  const request = (key: string, client: Requester) =>
    queue.render(key, client, async () => {
      started.push(key);
      return PUBLIC;
    });
  const end = async () => {
    hold.resolve(PUBLIC);
    await Promise.all(blockers);
  };
  return { queue, started, request, end };
}

test('The network with the fewest renders is next, with its oldest request', async () => {
  const { started, request, end } = busyQueue();
  const greedy = Array.from({ length: 20 }, (_, n) => request(`/news/guess-${n}`, requester()));
  const other = request('/about', requester('198.51.100.1'));
  await end();
  await other;
  await Promise.all(greedy);
  expect(started.indexOf('/about')).toBeLessThan(2);
  expect(started.filter((key) => key !== '/about')).toEqual(Array.from({ length: 20 }, (_, n) => `/news/guess-${n}`));
});

test('A page requested by several networks is rendered once, in the turn of the network that is next', async () => {
  const { queue, started, request, end } = busyQueue();
  const greedy = Array.from({ length: 20 }, (_, n) => request(n === 19 ? '/about' : `/guess-${n}`, requester()));
  const otherRequests = Array.from({ length: 30 }, (_, n) => request('/about', requester(`198.51.100.${n % 3}`)));
  // One place per network, regardless of the number of requests.
  expect(queue.stats()).toMatchObject({ running: 2, waiting: 23 });
  await end();
  expect(new Set(await Promise.all(otherRequests)).size).toBe(1);
  await Promise.all(greedy);
  expect(started.filter((key) => key === '/about')).toHaveLength(1);
  expect(started.indexOf('/about')).toBeLessThan(2);
});

test('A render starts only if at least one of its clients is still connected', async () => {
  const { queue, started, request, end } = busyQueue();
  const leavers = Array.from({ length: 50 }, () => requester());
  const abandonedRequests = Promise.allSettled(leavers.map((leaver, n) => request(`/guess-${n}`, leaver)));
  const lastRequester = requester('198.51.100.1');
  const lastAbandoned = request('/about', lastRequester);
  const remaining = request('/about', requester('198.51.100.1'));
  for (const leaver of [...leavers, lastRequester]) leaver.leave();
  expect(queue.stats().waiting).toBe(1);
  expect((await abandonedRequests).every(({ status }) => status === 'rejected')).toBe(true);
  await end();
  expect(await remaining).toBe(PUBLIC);
  await lastAbandoned;
  expect(started).toEqual(['/about']);
});

test('A render does not start if its client disconnects while the queue yields', async () => {
  const queue = new RenderQueue();
  const leaver = requester();
  const abandonedRequest = queue.render('/guess', leaver, async () => PUBLIC);
  leaver.leave();
  await expect(abandonedRequest).rejects.toThrow();
  expect(queue.stats()).toMatchObject({ started: 0, running: 0 });
  expect(await queue.render('/guess', requester(), async () => PUBLIC)).toBe(PUBLIC);
});

test('A full queue rejects only requests of the network with the most places', async () => {
  const { queue, request, end } = busyQueue();
  const other = request('/about', requester('198.51.100.1'));
  const greedy = Promise.allSettled(Array.from({ length: 400 }, (_, n) => request(`/guess-${n}`, requester())));
  const queuedRequest = request('/contact', requester('203.0.113.1'));
  expect(queue.stats().waiting).toBe(200);
  await end();
  expect(await Promise.all([other, queuedRequest])).toEqual([PUBLIC, PUBLIC]);
  const refusedResults = (await greedy).filter((result) => result.status === 'rejected');
  expect(refusedResults).toHaveLength(202);
  for (const { reason } of refusedResults) expect(reason).toBeInstanceOf(UnavailableError);
  expect(queue.stats()).toMatchObject({ waiting: 0, running: 0, refused: 202 });
});

test('A private response is sent to one client, and the page is rendered again for each other client', async () => {
  const queue = new RenderQueue();
  let renders = 0;
  const renderPrivate = async (): Promise<Rendered> => {
    renders += 1;
    return { response: new StoredResponse(200, {}, Buffer.from(`for ${renders}`)), isPublic: false };
  };
  const responses = await Promise.all([1, 2, 3].map(() => queue.render('/mine', requester(), renderPrivate)));
  expect(new Set(responses.map(({ response }) => response)).size).toBe(3);
  expect(renders).toBe(3);
});
