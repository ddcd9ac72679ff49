import { expect, it } from 'vitest';
import { type Caller, runAsCaller } from './caller.ts';
import { DatabaseQueue } from './database-queue.ts';

type Fields = Partial<Caller>;
const caller = (fields: Fields): Caller => ({ lane: 'requests', address: '203.0.113.1', account: null, ...fields });

/** A queue with ten connections, and the order in which tasks started. */
function createQueue() {
  const queue = new DatabaseQueue(10);
  const started: string[] = [];
  const runTask = (name: string, fields: Fields, work: () => Promise<unknown>, ms: number) =>
    runAsCaller(caller(fields), () =>
      queue.run({}, async ({ onTime }) => {
        started.push(name);
        await work();
        onTime?.(ms);
      }),
    );
  return {
    started,
    /** Records `ms` milliseconds of database time without holding a connection. */
    use: (fields: Fields, ms: number) => runTask('used', fields, async () => undefined, ms),
    /** Holds connections until `release`. */
    occupy(name: string, count: number, fields: (n: number) => Fields) {
      const gate = Promise.withResolvers<void>();
      const tasks = Array.from({ length: count }, (_, n) => runTask(name, fields(n), () => gate.promise, 1));
      return {
        release: async () => {
          gate.resolve();
          await Promise.all(tasks);
        },
      };
    },
    countOf: (name: string) => started.filter((task) => task === name).length,
  };
}

/** Resolves after tasks have started on all free connections. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

const network = (n: number) => ({ address: `198.18.${n}.1` });
const account = (n: number) => ({ account: `account-${n}`, address: `198.18.${n}.1` });

it('limits a network, and an account across networks, to three of ten connections', async () => {
  const { occupy, countOf } = createQueue();
  const networkTasks = occupy('one network', 20, (n) => ({ address: `198.18.0.${n}` }));
  await nextTick();
  expect(countOf('one network')).toBe(3);
  await networkTasks.release();
  const accountTasks = occupy('one account', 30, (n) => ({ ...network(n), account: 'ada' }));
  await nextTick();
  expect(countOf('one account')).toBe(3);
  await accountTasks.release();
  const allTasks = occupy('many accounts', 30, account);
  await nextTick();
  expect(countOf('many accounts')).toBe(5);
  await allTasks.release();
});

it('reserves connections for light callers and for other lanes', async () => {
  const { use, occupy, countOf } = createQueue();
  await use({ address: '203.0.113.1' }, 5);
  const strangerTasks = occupy('strangers', 30, network);
  expect(countOf('strangers')).toBe(5);
  const knownCaller = occupy('known', 1, () => ({ address: '203.0.113.1' }));
  const pages = occupy('pages', 2, () => ({ lane: 'pages', address: '' }));
  const signIns = occupy('sign-ins', 2, () => ({ lane: 'sign-in', address: '203.0.113.9' }));
  await nextTick();
  expect([countOf('known'), countOf('pages'), countOf('sign-ins')]).toEqual([1, 2, 2]);
  await Promise.all([strangerTasks, knownCaller, pages, signIns].map(({ release }) => release()));
});

it('gives a heavy caller no priority over new callers', async () => {
  const { use, occupy, countOf } = createQueue();
  await use({ address: '203.0.113.1' }, 300);
  const strangerTasks = occupy('strangers', 30, network);
  const greedy = occupy('greedy', 1, () => ({ address: '203.0.113.1' }));
  await nextTick();
  expect([countOf('strangers'), countOf('greedy')]).toEqual([5, 0]);
  await Promise.all([strangerTasks.release(), greedy.release()]);
  expect(countOf('greedy')).toBe(1);
});

it('gives the next connection to a caller without one', async () => {
  const { occupy, started } = createQueue();
  const strangerTasks = occupy('strangers', 30, (n) => network(n % 5));
  const visitor = occupy('visitor', 1, () => ({ address: '203.0.113.5' }));
  await strangerTasks.release();
  await visitor.release();
  expect(started.indexOf('visitor')).toBeLessThan(8);
});

it('lets background work use every connection', async () => {
  const queue = new DatabaseQueue(10);
  const gate = Promise.withResolvers<void>();
  const tasks = Array.from({ length: 12 }, () => queue.run({}, () => gate.promise));
  expect([queue.running, queue.waiting]).toEqual([10, 2]);
  gate.resolve();
  await Promise.all(tasks);
});
