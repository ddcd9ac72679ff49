import { join } from 'node:path';
import {
  type Config,
  DatabaseError,
  DatabaseFolderError,
  errorCode,
  freeBytes,
  isUnreachable,
  MIN_FREE_BYTES,
  messageOf,
  OperatorError,
  PoolerError,
} from '@signalfjord/backend';

/**
 * Returns one sentence for the operator, or null for unexpected errors. `config` is null for errors of the
 * configuration itself.
 */
export async function explainStartError(error: unknown, config: Config | null): Promise<string | null> {
  if (error instanceof OperatorError) return error.message;
  // A timeout has no code and needs no explanation.
  if (isUnreachable(error) && errorCode(error.cause)) return explainStartError(error.cause, config);
  if (!(error instanceof Error) || !config) return null;
  const { code, message }: NodeJS.ErrnoException = error;
  const { DATABASE_URL, DATABASE_DIRECT_URL } = config;
  if (error instanceof PoolerError || message.startsWith('unsupported startup parameter')) {
    const pooler = 'a connection pooler such as pgbouncer that does not support sessions or session settings';
    return DATABASE_DIRECT_URL
      ? `DATABASE_DIRECT_URL points to ${pooler}. Set it to the address of the Postgres server itself.`
      : `DATABASE_URL points to ${pooler}. Also set DATABASE_DIRECT_URL to the address of the Postgres server itself.`;
  }
  if (code === 'ERR_MODULE_NOT_FOUND' && message.includes('dist/server')) {
    return 'The site is not built yet. Run `npm start`, or `npm run build` before starting the server directly.';
  }
  const explanation = explainListenError(error, config);
  if (explanation) return explanation;
  if (DATABASE_URL && isDatabaseError(error)) {
    const reason = [DATABASE_URL, DATABASE_DIRECT_URL].reduce(withoutPassword, message);
    const hint = isMissingPrivilege(error) ? '. See docs/scaling.md for the privileges that its owner needs' : '';
    return `The database of DATABASE_URL cannot be used (${reason})${hint}.`;
  }
  return explainFolderError(error, config);
}

/**
 * Checks whether an error comes from Postgres or the connection to it, including as the cause of a migration error.
 * File errors are excluded.
 */
function isDatabaseError(error: Error): boolean {
  const isConnectionError = 'code' in error && !('path' in error);
  return isConnectionError || error instanceof DatabaseError || error.cause instanceof DatabaseError;
}

function explainListenError(error: NodeJS.ErrnoException, config: Config): string | null {
  const { code, syscall, message } = error;
  const isMetricsPort = 'port' in error && error.port === config.METRICS_PORT?.port && error.port !== config.PORT;
  const { HOST, PORT, prefix } =
    isMetricsPort && config.METRICS_PORT
      ? { HOST: config.METRICS_PORT.host, PORT: config.METRICS_PORT.port, prefix: 'METRICS_' }
      : { ...config, prefix: '' };
  if (code === 'EADDRINUSE') {
    return `Port ${PORT} on ${HOST} is already in use. Stop the other program or set ${prefix}PORT to another port.`;
  }
  if (syscall === 'listen' && code === 'EACCES' && 'port' in error) {
    return `This user may not listen on port ${PORT}. Set ${prefix}PORT to a port above 1023.`;
  }
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && message.includes(HOST))) {
    const { METRICS_PORT } = config;
    const name = METRICS_PORT?.host === HOST && config.HOST !== HOST ? 'The host of METRICS_PORT' : 'HOST';
    return `${name} is ${JSON.stringify(HOST)}, which is not an address of this machine.`;
  }
  return null;
}

async function explainFolderError(error: NodeJS.ErrnoException, { DATA_DIR }: Config): Promise<string | null> {
  if (error.code && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(error.code)) {
    return `The folder ${DATA_DIR} is not writable (${error.code}). Make it writable or set DATA_DIR to another folder.`;
  }
  const reason = error instanceof DatabaseFolderError ? messageOf(error.cause) : '';
  if (error.code === 'ENOSPC' || reason.includes('No space left on device') || (await isDiskFull(DATA_DIR))) {
    return `The disk of ${DATA_DIR} is full. Free some space and start again.`;
  }
  if (!reason) return null;
  return (
    `The database in ${join(DATA_DIR, 'postgres')} is damaged (${reason.split('. ')[0]}). ` +
    `Restore a backup of ${DATA_DIR} and start again.`
  );
}

async function isDiskFull(folder: string): Promise<boolean> {
  const free = await freeBytes(folder).catch(() => Number.POSITIVE_INFINITY);
  return free < MIN_FREE_BYTES;
}

/** Checks whether Postgres rejected a statement for missing privileges. */
function isMissingPrivilege(error: unknown): boolean {
  return error instanceof DatabaseError
    ? error.code === '42501'
    : error instanceof Error && isMissingPrivilege(error.cause);
}

function withoutPassword(message: string, databaseUrl = ''): string {
  const password = databaseUrl && new URL(databaseUrl).password;
  const masked = password ? message.replaceAll(decodeURIComponent(password), '***') : message;
  return masked.trim().replace(/\.$/, '');
}
