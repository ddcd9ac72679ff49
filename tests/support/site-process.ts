/** Entry of a server process for tests: server/main.ts, but the environment has options of the program, too. */
import { runServer } from '../../server/run-server.ts';
import { composeSite, SHUTDOWN_MS } from '../../server/serve-site.ts';

await runServer(composeSite, { shutdownMs: SHUTDOWN_MS, siteOptions: process.env });
