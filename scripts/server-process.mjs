/** Command line and environment of the server process, for `npm start`, tests and benchmarks. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * Node options. Pages are built from large short-lived buffers, so a small young generation that is collected often
 * saves memory. See docs/decisions/process.md.
 */
export const SERVER_OPTIONS = ['--max-semi-space-size=4'];

/** Environment variables that must be set before the process starts. Existing values are kept. */
export const SERVER_ENVIRONMENT = {
  // Node caches compiled code, which makes the next start 25% faster. If the folder is not writable, Node starts
  // without a cache.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '../node_modules/.cache/node'),
  // Password hashes use one thread per core. Files, DNS and signatures need a few more threads.
  UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? String(Math.max(4, availableParallelism() + 2)),
  // glibc malloc: few arenas and fixed thresholds for returning memory to the system.
  MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
  MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? '1048576',
  MALLOC_TRIM_THRESHOLD_: process.env['MALLOC_TRIM_THRESHOLD_'] ?? '1048576',
};
