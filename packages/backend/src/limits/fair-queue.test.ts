import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { networkPath } from './networks.ts';

/** A queue with a clock that only tasks advance, and the order in which they started. */
function recordedQueue(options: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  let now = 0;
  const begun: string[] = [];
  const queue = new FairQueue({
    atOnce: 1,
    maxWaiting: 100,
    maxWaitMs: 60_000,
    refuse: () => new Error('Too busy'),
    now: () => now,
    ...options,
  });
  return {
    queue,
    begun,
    /** Queues a task of the group that takes that many milliseconds. */
    take: (path: string[], ms: number, turn: { isAlone?: boolean; signal?: AbortSignal } = {}) =>
      queue.take(
        path,
        async () => {
          begun.push(path.join('/'));
          await Promise.resolve();
          now += ms;
        },
        turn,
      ),
  };
}

it('serves the least recently served network first', async () => {
  const { take, begun } = recordedQueue();
  await Promise.all([take(['a'], 100), take(['a'], 100), take(['a'], 100), take(['b'], 10), take(['b'], 10)]);
  expect(begun).toEqual(['a', 'b', 'b', 'a', 'a']);
});

it('serves equal networks in order of arrival', async () => {
  const { take, begun } = recordedQueue();
  await Promise.all([take(['busy'], 10), take(['b'], 10), take(['a'], 10)]);
  expect(begun).toEqual(['busy', 'b', 'a']);
});

it('compares wide networks before their subnets', async () => {
  const { take, begun } = recordedQueue();
  const flood = [1, 2, 3, 4].map((host) => take(['wide', String(host)], 50));
  await Promise.all([...flood, take(['other', '1'], 50)]);
  expect(begun).toEqual(['wide/1', 'other/1', 'wide/2', 'wide/3', 'wide/4']);
});

it('forgets past use over time', async () => {
  let now = 0;
  const begun: string[] = [];
  const { queue } = recordedQueue({ now: () => now });
  const take = (name: string, ms: number) =>
    queue.take([name], async () => {
      begun.push(name);
      now += ms;
    });
  await Promise.all([take('a', 1000), take('b', 10), take('a', 0)]);
  now += 100_000;
  await Promise.all([take('b', 10), take('c', 0)]);
  begun.length = 0;
  await Promise.all([take('c', 0), take('b', 10), take('a', 10)]);
  expect(begun).toEqual(['c', 'a', 'b']);
});

it('does not count capacity that was used while the queue was empty', async () => {
  const { take, begun } = recordedQueue();
  for (let quiet = 0; quiet < 50; quiet++) await take(['early'], 100);
  begun.length = 0;
  const crowd = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 5 }, () => take([name], 100)));
  await Promise.all([...crowd, take(['early'], 100)]);
  expect(begun.indexOf('early')).toBeLessThanOrEqual(6);
});

it('charges concurrent tasks their share of the time', async () => {
  let now = 0;
  const begun: string[] = [];
  const { queue } = recordedQueue({ atOnce: 4, now: () => now });
  const together = Promise.withResolvers<void>();
  const work = (name: string, ms: number) => async () => {
    begun.push(name);
    now += ms;
  };
  const manyTasks = Array.from({ length: 4 }, () => queue.take(['many'], () => together.promise));
  const single = queue.take(['single'], work('single', 150), { isAlone: true });
  const next = [
    queue.take(['single'], work('single', 10), { isAlone: true }),
    queue.take(['many'], work('many', 10), { isAlone: true }),
  ];
  now += 100;
  together.resolve();
  await Promise.all([...manyTasks, single, ...next]);
  expect(begun).toEqual(['single', 'many', 'single']);
});

it('lets an idle group take turns with others, without catching up', async () => {
  const { take, begun } = recordedQueue();
  await Promise.all(Array.from({ length: 50 }, (_, network) => take(['light', String(network)], 10)));
  begun.length = 0;
  const slow = Array.from({ length: 20 }, (_, network) => take(['slow', String(network)], 20));
  await Promise.all([...slow, take(['light', 'visitor'], 10)]);
  expect(begun.indexOf('light/visitor')).toBeLessThanOrEqual(2);
});

it('rejects the newest task of the network with the longest queue if the queue is full', async () => {
  const { take, begun } = recordedQueue({ maxWaiting: 3 });
  const flood = [1, 2, 3, 4].map(() => take(['a'], 10));
  const other = take(['b'], 10);
  const results = await Promise.allSettled([...flood, other]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(begun).toEqual(['a', 'b', 'a', 'a']);
});

it('rejects a task that waits too long, and starts the next one', async () => {
  const { queue } = recordedQueue({ maxWaitMs: 5 });
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  await expect(queue.take(['b'], async () => 'begun')).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  await expect(queue.take(['b'], async () => 'begun')).resolves.toBe('begun');
  expect(queue.waiting).toBe(0);
});

it('does not start aborted work', async () => {
  const { queue, take, begun } = recordedQueue();
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  const leaving = new AbortController();
  const left = take(['b'], 10, { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  gate.resolve();
  await first;
  expect(begun).toEqual([]);
});

it('starts a task that must run alone after all earlier tasks have ended, and before all later ones', async () => {
  const { take, begun } = recordedQueue({ atOnce: 2 });
  await Promise.all([take(['a'], 10), take(['a'], 10), take(['b'], 10, { isAlone: true }), take(['c'], 10)]);
  expect(begun).toEqual(['a', 'a', 'b', 'c']);
});

it('continues after a failed task', async () => {
  const { queue } = recordedQueue();
  await expect(queue.take(['a'], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(queue.take(['a'], async () => 'begun')).resolves.toBe('begun');
});

it('groups addresses by the network that one customer may own', () => {
  expect(networkPath('192.0.2.7')).toEqual(['192.0.2.0/24', '192.0.2.7']);
  expect(networkPath('2001:db8:1:2::7')).toEqual(['2001:db8:1::/48', '2001:db8:1:2::/64']);
  expect(networkPath('')).toEqual(['unknown']);
});

it('keeps capacity free for other groups when a group is at its limit', async () => {
  const { queue } = recordedQueue({ atOnce: 3, mostOf: (path) => (path.join() === 'slow' ? 2 : undefined) });
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const hold = (path: string[]) =>
    queue.take(path, () => {
      begun.push(path.join('/'));
      return gate.promise;
    });
  const slow = ['a', 'b', 'c'].map((network) => hold(['slow', network]));
  await queue.take(['light', 'd'], async () => begun.push('light/d'));
  expect(begun).toEqual(['slow/a', 'slow/b', 'light/d']);
  gate.resolve();
  await Promise.all(slow);
  expect(begun.at(-1)).toBe('slow/c');
});

it('lets the maximum wait of a task override that of the queue', async () => {
  const { queue } = recordedQueue({ maxWaitMs: 5 });
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  const patient = queue.take(['b'], async () => 'begun', { maxWaitMs: 60_000 });
  await expect(queue.take(['c'], async () => 'begun')).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  await expect(patient).resolves.toBe('begun');
});

it('rejects a task once if it is refused and aborted at the same time', async () => {
  const { queue } = recordedQueue({ maxWaiting: 0 });
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  const leaving = new AbortController();
  const left = queue.take(['b'], async () => 'begun', { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  expect(queue.waiting).toBe(0);
});
