/** `npm start`: installs and builds when needed, then runs the server. With --dev, the one that reloads on changes. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { install, NODE, run } from './install.mjs';

const isDevelopment = process.argv.includes('--dev');

install();
if (!isDevelopment) run(NODE, ['scripts/build.mjs']);

// Password hashes take a thread for each core; files, DNS and signatures need some too.
const threads = process.env.UV_THREADPOOL_SIZE ?? String(Math.max(4, availableParallelism() + 2));

const watched = ['backend', 'server', 'supabase'].map((folder) => `--watch-path=${folder}`);
const server = spawn(
  NODE,
  isDevelopment ? [...watched, '--watch-preserve-output', 'server/dev.ts'] : ['server/main.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, UV_THREADPOOL_SIZE: threads, NODE_ENV: isDevelopment ? 'development' : 'production' },
  },
);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => server.kill(signal));
}
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
