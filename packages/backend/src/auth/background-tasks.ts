/**
 * Runs tasks after the response, such as looking up the recipient of a mail. Each starts after a random delay, because
 * the response time of the next request could otherwise reveal how much work was done.
 */
import { randomInt } from 'node:crypto';
import { runWithoutCaller } from '../database/caller.ts';

/** Maximum delay before a task starts, in milliseconds. */
const MAX_DELAY_MS = 500;

export interface BackgroundTasks {
  run(work: () => Promise<unknown>): void;
  /** Starts all delayed tasks now, and resolves when they are done. */
  finish(): Promise<void>;
}

export function createBackgroundTasks(onError: (error: unknown) => void): BackgroundTasks {
  const delayed = new Map<NodeJS.Timeout, () => void>();
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const start = () => {
        delayed.delete(timer);
        // The response has been sent, so a busy database cannot be reported to the caller.
        const task = runWithoutCaller(work)
          .catch(onError)
          .finally(() => running.delete(task));
        running.add(task);
      };
      const timer = setTimeout(start, randomInt(MAX_DELAY_MS));
      delayed.set(timer, start);
    },
    async finish() {
      for (const [timer, start] of delayed) {
        clearTimeout(timer);
        start();
      }
      await Promise.all(running);
    },
  };
}
