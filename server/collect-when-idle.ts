/**
 * Garbage collection once a crowd has left. V8 collects its old generation only while it grows, so the garbage of 2,000
 * rendered pages, some 200 MB, stays for as long as nobody comes. Postgres and the disk cache can use that memory.
 */
import type { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 10_000;

/** Requests of an interval that count as idle, such as health checks. A collection holds up everybody for a moment. */
const FEW_REQUESTS = 5;

/** Heap from which a collection is worth its pause. The process at rest uses half of it. */
const WORTH_BYTES = 120e6;

/** @returns the way to stop */
export function collectWhenIdle(server: EventEmitter): () => void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let requests = 0;
  let wasBusy = false;
  const count = () => {
    requests++;
  };
  server.on('request', count);
  const timer = setInterval(() => {
    const isIdle = requests <= FEW_REQUESTS;
    requests = 0;
    if (!isIdle) wasBusy = true;
    else if (wasBusy && process.memoryUsage().heapUsed > WORTH_BYTES) {
      wasBusy = false;
      collect();
    }
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    server.off('request', count);
  };
}
