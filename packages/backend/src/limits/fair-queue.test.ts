import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { networkPath } from './networks.ts';

/** A queue with a clock that only tasks advance, and the order in which they started. */
function createQueue(options: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  let now = 0;
  const started: string[] = [];
  const queue = new FairQueue({
    maxConcurrent: 1,
    maxQueued: 100,
    maxWaitMs: 60_000,
    createError: () => new Error('Too busy'),
    now: () => now,
    ...options,
  });
  return {
    queue,
    started,
    /** Queues a task of the group that takes `ms` milliseconds. */
    runTask: (path: string[], ms: number, options: { isExclusive?: boolean; signal?: AbortSignal } = {}) =>
      queue.run(
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
  const { runTask, started } = createQueue();
  await Promise.all([
    runTask(['a'], 100),
    runTask(['a'], 100),
    runTask(['a'], 100),
    runTask(['b'], 10),
    runTask(['b'], 10),
  ]);
  expect(started).toEqual(['a', 'b', 'b', 'a', 'a']);
});

it('serves equal networks in order of arrival', async () => {
  const { runTask, started } = createQueue();
  await Promise.all([runTask(['busy'], 10), runTask(['b'], 10), runTask(['a'], 10)]);
  expect(started).toEqual(['busy', 'b', 'a']);
});

it('compares wide networks before their subnets', async () => {
  const { runTask, started } = createQueue();
  const flood = [1, 2, 3, 4].map((host) => runTask(['wide', String(host)], 50));
  await Promise.all([...flood, runTask(['other', '1'], 50)]);
  expect(started).toEqual(['wide/1', 'other/1', 'wide/2', 'wide/3', 'wide/4']);
});

it('counts past use less over time', async () => {
  let now = 0;
  const started: string[] = [];
  const { queue } = createQueue({ now: () => now });
  const runTask = (name: string, ms: number) =>
    queue.run([name], async () => {
      started.push(name);
      now += ms;
    });
  await Promise.all([runTask('a', 1000), runTask('b', 10), runTask('a', 0)]);
  now += 100_000;
  await Promise.all([runTask('b', 10), runTask('c', 0)]);
  started.length = 0;
  await Promise.all([runTask('c', 0), runTask('b', 10), runTask('a', 10)]);
  expect(started).toEqual(['c', 'a', 'b']);
});

it('does not count capacity that was used while the queue was empty', async () => {
  const { runTask, started } = createQueue();
  for (let task = 0; task < 50; task++) await runTask(['early'], 100);
  started.length = 0;
  const otherTasks = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 5 }, () => runTask([name], 100)));
  await Promise.all([...otherTasks, runTask(['early'], 100)]);
  expect(started.indexOf('early')).toBeLessThanOrEqual(6);
});

it('charges concurrent tasks their share of the time', async () => {
  let now = 0;
  const started: string[] = [];
  const { queue } = createQueue({ maxConcurrent: 4, now: () => now });
  const gate = Promise.withResolvers<void>();
  const work = (name: string, ms: number) => async () => {
    started.push(name);
    now += ms;
  };
  const parallelTasks = Array.from({ length: 4 }, () => queue.run(['many'], () => gate.promise));
  const single = queue.run(['single'], work('single', 150), { isExclusive: true });
  const next = [
    queue.run(['single'], work('single', 10), { isExclusive: true }),
    queue.run(['many'], work('many', 10), { isExclusive: true }),
  ];
  now += 100;
  gate.resolve();
  await Promise.all([...parallelTasks, single, ...next]);
  expect(started).toEqual(['single', 'many', 'single']);
});

it('does not compensate a group for idle time', async () => {
  const { runTask, started } = createQueue();
  await Promise.all(Array.from({ length: 50 }, (_, network) => runTask(['light', String(network)], 10)));
  started.length = 0;
  const slow = Array.from({ length: 20 }, (_, network) => runTask(['slow', String(network)], 20));
  await Promise.all([...slow, runTask(['light', 'visitor'], 10)]);
  expect(started.indexOf('light/visitor')).toBeLessThanOrEqual(2);
});

it('rejects the newest task of the network with the longest queue if the queue is full', async () => {
  const { runTask, started } = createQueue({ maxQueued: 3 });
  const flood = [1, 2, 3, 4].map(() => runTask(['a'], 10));
  const otherTask = runTask(['b'], 10);
  const results = await Promise.allSettled([...flood, otherTask]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(started).toEqual(['a', 'b', 'a', 'a']);
});

it('rejects a task that waits too long, and starts the next one', async () => {
  const { queue } = createQueue({ maxWaitMs: 5 });
  const gate = Promise.withResolvers<void>();
  const first = queue.run(['a'], () => gate.promise);
  await expect(queue.run(['b'], async () => 'started')).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  await expect(queue.run(['b'], async () => 'started')).resolves.toBe('started');
  expect(queue.waiting).toBe(0);
});

it('does not start aborted work', async () => {
  const { queue, runTask, started } = createQueue();
  const gate = Promise.withResolvers<void>();
  const first = queue.run(['a'], () => gate.promise);
  const controller = new AbortController();
  const abortedTask = runTask(['b'], 10, { signal: controller.signal });
  controller.abort(new Error('aborted'));
  await expect(abortedTask).rejects.toThrow('aborted');
  gate.resolve();
  await first;
  expect(started).toEqual([]);
});

it('runs a task that must run alone after all earlier tasks have ended, and before all later ones', async () => {
  const { runTask, started } = createQueue({ maxConcurrent: 2 });
  await Promise.all([
    runTask(['a'], 10),
    runTask(['a'], 10),
    runTask(['b'], 10, { isExclusive: true }),
    runTask(['c'], 10),
  ]);
  expect(started).toEqual(['a', 'a', 'b', 'c']);
});

it('continues after a failed task', async () => {
  const { queue } = createQueue();
  await expect(queue.run(['a'], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(queue.run(['a'], async () => 'started')).resolves.toBe('started');
});

it('groups addresses by the network that one customer may own', () => {
  expect(networkPath('192.0.2.7')).toEqual(['192.0.2.0/24', '192.0.2.7']);
  expect(networkPath('2001:db8:1:2::7')).toEqual(['2001:db8:1::/48', '2001:db8:1:2::/64']);
  expect(networkPath('')).toEqual(['unknown']);
});

it('reserves capacity for other groups when a group is at its limit', async () => {
  const { queue } = createQueue({ maxConcurrent: 3, groupLimit: (path) => (path.join() === 'slow' ? 2 : undefined) });
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const hold = (path: string[]) =>
    queue.run(path, () => {
      started.push(path.join('/'));
      return gate.promise;
    });
  const slow = ['a', 'b', 'c'].map((network) => hold(['slow', network]));
  await queue.run(['light', 'd'], async () => started.push('light/d'));
  expect(started).toEqual(['slow/a', 'slow/b', 'light/d']);
  gate.resolve();
  await Promise.all(slow);
  expect(started.at(-1)).toBe('slow/c');
});

it('lets a task override the maximum wait of the queue', async () => {
  const { queue } = createQueue({ maxWaitMs: 5 });
  const gate = Promise.withResolvers<void>();
  const first = queue.run(['a'], () => gate.promise);
  const longTask = queue.run(['b'], async () => 'started', { maxWaitMs: 60_000 });
  await expect(queue.run(['c'], async () => 'started')).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  await expect(longTask).resolves.toBe('started');
});

it('rejects a task only once if the queue is full and the task is aborted at the same time', async () => {
  const { queue } = createQueue({ maxQueued: 0 });
  const gate = Promise.withResolvers<void>();
  const first = queue.run(['a'], () => gate.promise);
  const controller = new AbortController();
  const abortedTask = queue.run(['b'], async () => 'started', { signal: controller.signal });
  controller.abort(new Error('aborted'));
  await expect(abortedTask).rejects.toThrow('Too busy');
  gate.resolve();
  await first;
  expect(queue.waiting).toBe(0);
});
