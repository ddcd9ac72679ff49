/**
 * Runs tasks after the response, such as looking up the recipient of a mail. Each starts after a random delay. Without
 * it, the response time of the next request would reveal how much work was done.
 */
import { randomInt } from 'node:crypto';
import { runWithoutCaller } from '../database/caller.ts';

/** Maximum delay before a task starts, in milliseconds. */
const MAX_DELAY_MS = 500;

export interface BackgroundTasks {
  run(work: () => Promise<unknown>): void;
  /** Starts all delayed tasks now, and resolves when they are done. */
  settle(): Promise<void>;
}

export function createBackgroundTasks(onError: (error: unknown) => void): BackgroundTasks {
  const waiting = new Map<NodeJS.Timeout, () => void>();
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const begin = () => {
        waiting.delete(timer);
        // The response has been sent, so a busy database cannot be reported to the caller.
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
