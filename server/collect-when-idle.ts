/**
 * Garbage collection after a load peak. V8 collects the old generation only while it grows, so about 200 MB of garbage
 * from 2,000 rendered pages would stay until the next requests. Postgres and the page cache of the OS can use that
 * memory.
 */
import type { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_INTERVAL_MS = 10_000;

/** Requests per interval that still count as idle, such as health checks. A collection blocks the event loop. */
const MAX_IDLE_REQUESTS = 5;

/** Minimum heap size for a collection. The idle process uses half of it. */
const MIN_HEAP_BYTES = 120e6;

/** Starts watching the load. @returns a function that stops it */
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
    const isIdle = requests <= MAX_IDLE_REQUESTS;
    requests = 0;
    if (!isIdle) wasBusy = true;
    else if (wasBusy && process.memoryUsage().heapUsed > MIN_HEAP_BYTES) {
      wasBusy = false;
      collect();
    }
  }, CHECK_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    server.off('request', count);
  };
}
