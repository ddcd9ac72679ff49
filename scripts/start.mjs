/** `npm start`: installs and builds if needed, then runs the server. With --dev, runs the development server. */
import { spawn, spawnSync } from 'node:child_process';
import { install, nodePath } from './install.mjs';
import { SERVER_ENVIRONMENT, SERVER_OPTIONS } from './server-process.mjs';

const isDevelopment = process.argv.includes('--dev');

install();
if (!isDevelopment) {
  const { status } = spawnSync(nodePath(), ['scripts/build.mjs', '--check-settings'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const watched = ['packages', 'server', 'supabase'].map((folder) => `--watch-path=${folder}`);
const server = spawn(
  nodePath(),
  isDevelopment ? [...watched, '--watch-preserve-output', 'server/dev.ts'] : [...SERVER_OPTIONS, 'server/main.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, ...SERVER_ENVIRONMENT, NODE_ENV: isDevelopment ? 'development' : 'production' },
  },
);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => server.kill(signal));
}
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
