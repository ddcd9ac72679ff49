/**
 * Entry point of a server process for tests. Like server/main.ts, but the environment can also contain program options.
 */
import { runServer } from '../../server/run-server.ts';
import { composeSite, SHUTDOWN_MS } from '../../server/serve-site.ts';

await runServer(composeSite, { shutdownMs: SHUTDOWN_MS, siteOptions: process.env });
