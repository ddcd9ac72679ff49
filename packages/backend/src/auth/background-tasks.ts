/**
 * Work that an answer does not wait for, such as looking up who gets a mail. It begins a random while later, because on a
 * database that does one thing at a time the answer to somebody's next request would tell how much there was to do.
 */
import { randomInt } from 'node:crypto';
import { runWithoutCaller } from '../database/caller.ts';

/** Longest wait before the work begins, in milliseconds. */
const MAX_DELAY_MS = 500;

export interface BackgroundTasks {
  run(work: () => Promise<unknown>): void;
  /** Begins at once what still waits, and resolves when all is done. */
  settle(): Promise<void>;
}

export function createBackgroundTasks(onError: (error: unknown) => void): BackgroundTasks {
  const waiting = new Map<NodeJS.Timeout, () => void>();
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const begin = () => {
        waiting.delete(timer);
        // The answer was given: nobody is there to be told that the database was too busy.
        const done = runWithoutCaller(work)
          .catch(onError)
          .finally(() => running.delete(done));
        running.add(done);
      };
      const timer = setTimeout(begin, randomInt(MAX_DELAY_MS));
      waiting.set(timer, begin);
    },
    async settle() {
      for (const [timer, begin] of waiting) {
        clearTimeout(timer);
        begin();
      }
      await Promise.all(running);
    },
  };
}
