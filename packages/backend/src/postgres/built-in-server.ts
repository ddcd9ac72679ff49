/** The built-in Postgres server. Created at the first start, restarted after a crash, and stopped with this process. */
import { setTimeout as wait } from 'node:timers/promises';
import { accountFor } from './account.ts';
import { ARCHIVING, createArchive } from './archive.ts';
import { findBinaries } from './binaries.ts';
import { checkFolder, createDatabase, DatabaseFolderError, pathFor, prepareFolder } from './data-folder.ts';
import { stopOrphanedServer } from './orphaned-server.ts';
import { type PostgresProcess, PostgresStartError, startPostgres } from './postgres-process.ts';
import { addressSettings, DEFAULT_TRANSPORT, detectTransport, serverUrl, type Transport } from './server-address.ts';
import { settingsFor } from './settings.ts';

/** Milliseconds between restart attempts. */
const RESTART_INTERVAL_MS = 500;

/**
 * Errors that Postgres reports while the processes of a killed server are still ending. Until then, these processes
 * hold the shared memory.
 */
const IS_MEMORY_IN_USE = /pre-existing shared memory block|lock file "[^"]+" already exists/;

const MAX_MEMORY_WAIT_MS = 10_000;
const MEMORY_RETRY_MS = 50;

export interface BuiltInServer {
  /** URL of the database, for this process and for libpq. */
  url: string;
  /**
   * Calls `report` with a message when the server crashes and when it is running again, and with each line of its log.
   */
  onStatusChange(report: (message: string) => void): void;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** DATA_DIR, which must exist. If this process runs as root, Postgres runs as the owner of the folder. */
  dataFolder: string;
  /** Data folder of the database, below DATA_DIR. The caller holds the lock of DATA_DIR. */
  folder: string;
  poolSize: number;
  /** False if data does not have to survive a crash, as in tests. Default: true. */
  isDurable?: boolean;
  /** True to archive each finished WAL segment. */
  isArchived?: boolean;
  /** Socket or loopback for a new database. Default: by platform. */
  transport?: Transport;
  /** Additional Postgres settings. */
  settings?: Record<string, string>;
}

/**
 * Starts the server on a data folder, which is created if it is missing.
 * @throws OperatorError, DatabaseFolderError
 */
export async function startBuiltInServer(options: ServerOptions): Promise<BuiltInServer> {
  const { dataFolder, folder, poolSize, isDurable = true, isArchived = false } = options;
  const hasDatabase = await checkFolder(folder);
  const account = await accountFor(dataFolder);
  const binaries = await findBinaries(account);
  if (hasDatabase) await stopOrphanedServer(folder, binaries.pgCtl);
  else
    await createDatabase(folder, {
      ...binaries,
      account,
      isDurable,
      transport: options.transport ?? DEFAULT_TRANSPORT,
    });
  await prepareFolder(folder, account);
  if (isArchived) await createArchive(folder, account);
  let report = (_message: string) => {};
  const settings = {
    ...settingsFor(poolSize, { isDurable }),
    ...(await addressSettings(await detectTransport(folder), pathFor(folder, account))),
    ...(isArchived && ARCHIVING),
    ...options.settings,
  };
  const onLog = (line: string) => report(line);
  const start = () => startPostgres(folder, { ...binaries, account, settings, onLog });
  const server = new RestartingServer(start, (message) => report(message));
  await server.start().catch((cause: unknown) => {
    throw new DatabaseFolderError(folder, { cause });
  });
  return {
    url: await serverUrl(folder),
    onStatusChange(listener) {
      report = listener;
    },
    stop() {
      // Do not report the log of the shutdown.
      report = () => undefined;
      return server.stop();
    },
  };
}

/** Restarts a Postgres process after crashes until it is stopped. */
class RestartingServer {
  readonly #start: () => Promise<PostgresProcess>;
  readonly #report: (message: string) => void;
  #process: PostgresProcess | null = null;
  #starting: Promise<void> | null = null;
  #isStopped = false;

  constructor(start: () => Promise<PostgresProcess>, report: (message: string) => void) {
    this.#start = start;
    this.#report = report;
  }

  /** @throws PostgresStartError */
  async start(): Promise<void> {
    const deadline = performance.now() + MAX_MEMORY_WAIT_MS;
    for (;;) {
      try {
        const started = await this.#start();
        this.#process = started;
        void started.ended.then((reason) => this.#restart(reason));
        return;
      } catch (error) {
        const isHeld = error instanceof PostgresStartError && IS_MEMORY_IN_USE.test(error.message);
        if (!isHeld || performance.now() > deadline) throw error;
        await wait(MEMORY_RETRY_MS);
      }
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#starting;
    await this.#process?.stop();
  }

  #restart(reason: string): void {
    this.#process = null;
    if (this.#isStopped) return;
    this.#report(`The database server stopped (${reason}) and is being restarted.`);
    this.#starting = this.#startUntilReady();
  }

  async #startUntilReady(): Promise<void> {
    let lastReason = '';
    while (!this.#isStopped) {
      try {
        await this.start();
        this.#report('The database server is running again.');
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== lastReason) this.#report(`The database server cannot start: ${reason}`);
        lastReason = reason;
        await wait(RESTART_INTERVAL_MS);
      }
    }
  }
}
