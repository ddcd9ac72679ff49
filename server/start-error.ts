import type { Config } from '../backend/config.ts';
import { ConfigError } from '../backend/config.ts';
import { FolderLockedError } from '../backend/database/folder-lock.ts';

/**
 * One sentence for a person who starts the server and cannot, or null when the error is none of the expected ones.
 * `config` is null when it was the configuration itself.
 */
export function explainStartError(error: unknown, config: Config | null): string | null {
  if (error instanceof ConfigError || error instanceof FolderLockedError) return error.message;
  if (!(error instanceof Error) || !config) return null;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const { HOST, PORT, DATA_DIR, DATABASE_URL } = config;
  if (code === 'ERR_MODULE_NOT_FOUND' && message.includes('dist/server')) {
    return 'The site is not built yet; run `npm start`, or `npm run build` before starting the server directly.';
  }
  if (code === 'EADDRINUSE') return `Port ${PORT} of ${HOST} is in use; stop that program or set PORT to another port.`;
  if (syscall === 'listen' && code === 'EACCES' && error instanceof Error && 'port' in error) {
    return `This user may not listen on port ${PORT}; set PORT to a port above 1023.`;
  }
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && message.includes(HOST))) {
    return `HOST is ${JSON.stringify(HOST)}, which is not an address of this machine.`;
  }
  if (DATABASE_URL) return `The database of DATABASE_URL cannot be used (${withoutPassword(message, DATABASE_URL)}).`;
  if (code && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'].includes(code)) {
    return `The folder ${DATA_DIR} cannot be written (${code}); make it writable or set DATA_DIR to another folder.`;
  }
  return null;
}

function withoutPassword(message: string, databaseUrl: string): string {
  const { password } = new URL(databaseUrl);
  const shown = password ? message.replaceAll(decodeURIComponent(password), '***') : message;
  return shown.trim().replace(/\.$/, '');
}
