/**
 * Child process of site-runner.ts that runs one site after another, so that compiled code is reused. An unexpected
 * error ends it, as it ends a server.
 */
import { parseConfig } from '../../packages/backend/src/config.ts';
import { createLog, redirectOutputToLog } from '../../packages/backend/src/log.ts';
import { openDatabase } from '../../packages/backend/src/open-database.ts';
import { type RunningServer, startServer } from '../../server/run-server.ts';
import { composeSite, SHUTDOWN_MS } from '../../server/serve-site.ts';
import type { NextSite, RunnerResponse } from './site-runner.ts';

const log = createLog();
redirectOutputToLog(log);
let running: RunningServer | undefined;

process.on('message', async ({ environment }: NextSite) => {
  await running?.stop();
  running = environment && (await start(environment));
  process.send?.({ port: running?.port } satisfies RunnerResponse);
});
process.on('disconnect', () => process.exit());

/** Starts a server as server/main.ts does. The environment can also contain program options. */
async function start(environment: Record<string, string>): Promise<RunningServer> {
  const config = parseConfig(environment, environment);
  return startServer(composeSite, { config, log, shutdownMs: SHUTDOWN_MS, opened: openDatabase(config) });
}
