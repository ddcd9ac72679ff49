/** Command line and environment of the server process, for `npm start`, the tests and the benches. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * Options of Node. Pages are made of large buffers that are garbage a moment later; a small young generation is
 * collected often, so that few of them wait. See docs/decisions/process.md.
 */
export const SERVER_OPTIONS = ['--max-semi-space-size=4'];

/** Environment variables that must be set before the process starts; those that are set already are kept. */
export const SERVER_ENVIRONMENT = {
  // Node keeps the compiled code of each file from the first start: the next takes a quarter less. If it may not write
  // there, it starts as before.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '../node_modules/.cache/node'),
  // Password hashes take a thread for each core; files, DNS and signatures need some too.
  UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? String(Math.max(4, availableParallelism() + 2)),
  // The allocator of glibc: few arenas, and fixed limits above which what is free is given back.
  MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
  MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? '1048576',
  MALLOC_TRIM_THRESHOLD_: process.env['MALLOC_TRIM_THRESHOLD_'] ?? '1048576',
};
