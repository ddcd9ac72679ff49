import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { networkPath } from './networks.ts';

/** A queue with a clock that only tasks advance, and the order in which they started. */
function recordedQueue(options: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  let now = 0;
  const started: string[] = [];
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
    started,
    /** Queues a task of the group that takes `ms` milliseconds. */
    take: (path: string[], ms: number, options: { isAlone?: boolean; signal?: AbortSignal } = {}) =>
      queue.take(
        path,
        async () => {
          started.push(path.join('/'));
          await Promise.resolve();
          now += ms;
        },
        options,
      ),
  };
}

it('serves the least recently served network first', async () => {
  const { take, started } = recordedQueue();
  await Promise.all([take(['a'], 100), take(['a'], 100), take(['a'], 100), take(['b'], 10), take(['b'], 10)]);
  expect(started).toEqual(['a', 'b', 'b', 'a', 'a']);
});

it('serves equal networks in order of arrival', async () => {
  const { take, started } = recordedQueue();
  await Promise.all([take(['busy'], 10), take(['b'], 10), take(['a'], 10)]);
  expect(started).toEqual(['busy', 'b', 'a']);
});

it('compares wide networks before their subnets', async () => {
  const { take, started } = recordedQueue();
  const flood = [1, 2, 3, 4].map((host) => take(['wide', String(host)], 50));
  await Promise.all([...flood, take(['other', '1'], 50)]);
  expect(started).toEqual(['wide/1', 'other/1', 'wide/2', 'wide/3', 'wide/4']);
});

it('counts past use less over time', async () => {
  let now = 0;
  const started: string[] = [];
  const { queue } = recordedQueue({ now: () => now });
  const take = (name: string, ms: number) =>
    queue.take([name], async () => {
      started.push(name);
      now += ms;
    });
  await Promise.all([take('a', 1000), take('b', 10), take('a', 0)]);
  now += 100_000;
  await Promise.all([take('b', 10), take('c', 0)]);
  started.length = 0;
  await Promise.all([take('c', 0), take('b', 10), take('a', 10)]);
  expect(started).toEqual(['c', 'a', 'b']);
});

it('does not count capacity that was used while the queue was empty', async () => {
  const { take, started } = recordedQueue();
  for (let task = 0; task < 50; task++) await take(['early'], 100);
  started.length = 0;
  const crowd = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 5 }, () => take([name], 100)));
  await Promise.all([...crowd, take(['early'], 100)]);
  expect(started.indexOf('early')).toBeLessThanOrEqual(6);
});

it('charges concurrent tasks their share of the time', async () => {
  let now = 0;
  const started: string[] = [];
  const { queue } = recordedQueue({ atOnce: 4, now: () => now });
  const gate = Promise.withResolvers<void>();
  const work = (name: string, ms: number) => async () => {
    started.push(name);
    now += ms;
  };
  const manyTasks = Array.from({ length: 4 }, () => queue.take(['many'], () => gate.promise));
  const single = queue.take(['single'], work('single', 150), { isAlone: true });
  const next = [
    queue.take(['single'], work('single', 10), { isAlone: true }),
    queue.take(['many'], work('many', 10), { isAlone: true }),
  ];
  now += 100;
  gate.resolve();
  await Promise.all([...manyTasks, single, ...next]);
  expect(started).toEqual(['single', 'many', 'single']);
});

it('does not let a group catch up on the time in which it was idle', async () => {
  const { take, started } = recordedQueue();
  await Promise.all(Array.from({ length: 50 }, (_, network) => take(['light', String(network)], 10)));
  started.length = 0;
  const slow = Array.from({ length: 20 }, (_, network) => take(['slow', String(network)], 20));
  await Promise.all([...slow, take(['light', 'visitor'], 10)]);
  expect(started.indexOf('light/visitor')).toBeLessThanOrEqual(2);
});

it('rejects the newest task of the network with the longest queue if the queue is full', async () => {
  const { take, started } = recordedQueue({ maxWaiting: 3 });
  const flood = [1, 2, 3, 4].map(() => take(['a'], 10));
  const otherTask = take(['b'], 10);
  const results = await Promise.allSettled([...flood, otherTask]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(started).toEqual(['a', 'b', 'a', 'a']);
});

it('rejects a task that waits too long, and starts the next one', async () => {
  const { queue } = recordedQueue({ maxWaitMs: 5 });
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  await expect(queue.take(['b'], async () => 'started')).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  await expect(queue.take(['b'], async () => 'started')).resolves.toBe('started');
  expect(queue.waiting).toBe(0);
});

it('does not start aborted work', async () => {
  const { queue, take, started } = recordedQueue();
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  const controller = new AbortController();
  const abortedTask = take(['b'], 10, { signal: controller.signal });
  controller.abort(new Error('aborted'));
  await expect(abortedTask).rejects.toThrow('aborted');
  gate.resolve();
  await first;
  expect(started).toEqual([]);
});

it('runs a task that must run alone after all earlier tasks have ended, and before all later ones', async () => {
  const { take, started } = recordedQueue({ atOnce: 2 });
  await Promise.all([take(['a'], 10), take(['a'], 10), take(['b'], 10, { isAlone: true }), take(['c'], 10)]);
  expect(started).toEqual(['a', 'a', 'b', 'c']);
});

it('continues after a failed task', async () => {
  const { queue } = recordedQueue();
  await expect(queue.take(['a'], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(queue.take(['a'], async () => 'started')).resolves.toBe('started');
});

it('groups addresses by the network that one customer may own', () => {
  expect(networkPath('192.0.2.7')).toEqual(['192.0.2.0/24', '192.0.2.7']);
  expect(networkPath('2001:db8:1:2::7')).toEqual(['2001:db8:1::/48', '2001:db8:1:2::/64']);
  expect(networkPath('')).toEqual(['unknown']);
});

it('reserves capacity for other groups when a group is at its limit', async () => {
  const { queue } = recordedQueue({ atOnce: 3, limitOf: (path) => (path.join() === 'slow' ? 2 : undefined) });
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const hold = (path: string[]) =>
    queue.take(path, () => {
      started.push(path.join('/'));
      return gate.promise;
    });
  const slow = ['a', 'b', 'c'].map((network) => hold(['slow', network]));
  await queue.take(['light', 'd'], async () => started.push('light/d'));
  expect(started).toEqual(['slow/a', 'slow/b', 'light/d']);
  gate.resolve();
  await Promise.all(slow);
  expect(started.at(-1)).toBe('slow/c');
});

it('lets a task override the maximum wait of the queue', async () => {
  const { queue } = recordedQueue({ maxWaitMs: 5 });
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  const longTask = queue.take(['b'], async () => 'started', { maxWaitMs: 60_000 });
  await expect(queue.take(['c'], async () => 'started')).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  await expect(longTask).resolves.toBe('started');
});

it('rejects a task only once if the queue is full and the task is aborted at the same time', async () => {
  const { queue } = recordedQueue({ maxWaiting: 0 });
  const gate = Promise.withResolvers<void>();
  const first = queue.take(['a'], () => gate.promise);
  const controller = new AbortController();
  const abortedTask = queue.take(['b'], async () => 'started', { signal: controller.signal });
  controller.abort(new Error('aborted'));
  await expect(abortedTask).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  expect(queue.waiting).toBe(0);
});
