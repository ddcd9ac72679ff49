/**
 * The log of the process on stdout: one JSON line per entry (pino), or one readable line in a terminal. `level` is a
 * word, `time` is ISO 8601 in UTC, `msg` is a sentence, `err` has type, message and stack.
 */
import { format, styleText } from 'node:util';
import { type Logger, pino } from 'pino';
import { DiskFullError } from './database/disk-guard.ts';

/** Target of entries: process.stdout, or a replacement in tests. */
interface LogStream {
  isTTY?: boolean;
  write(line: string): boolean;
}

export function createLog(stream: LogStream = process.stdout): Logger {
  const isTerminal = stream.isTTY === true;
  return pino(
    {
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(entry, method) {
          if (!isDiskFull(entry[0])) method.apply(this, entry);
        },
      },
    },
    isTerminal ? { write: (line) => stream.write(formatReadable(line)) } : openDestination(stream),
  );
}

/**
 * Returns whether an entry is caused by a full disk. Such entries are dropped, because each request would log one. The
 * database already reports a full disk once.
 */
function isDiskFull(entry: unknown): boolean {
  const error = typeof entry === 'object' && entry !== null && 'err' in entry ? entry.err : entry;
  return error instanceof DiskFullError;
}

/** Synchronous, so that the last entries before the process ends are written. */
function openDestination(stream: LogStream): pino.DestinationStream {
  return stream === process.stdout ? pino.destination({ dest: 1, sync: true }) : stream;
}

const COLOURS: Record<string, 'yellow' | 'red'> = { warn: 'yellow', error: 'red', fatal: 'red' };

/** Line written by pino, with all logged fields. */
interface LogLine {
  level: string;
  time: string;
  msg?: string;
  err?: { message?: string; stack?: string };
  [name: string]: unknown;
}

/** Formats an entry as `12:40:03 warn A sentence. name=value`, followed by the stack of an error. */
function formatReadable(line: string): string {
  const { level, time, msg, err, pid, hostname, ...more }: LogLine = JSON.parse(line);
  const colour = COLOURS[level];
  const { message, stack } = err ?? {};
  const fields = Object.entries(more).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const label = level === 'info' ? '' : `${colour ? styleText(colour, level) : level} `;
  return `${time.slice(11, 19)} ${label}${msg ?? message ?? ''}${fields.join('')}\n${stack ? `${stack}\n` : ''}`;
}

/**
 * Redirects other output to the log: console messages from libraries and pages, Node's warnings, and the error that
 * ends the process.
 */
export function redirectOutputToLog(log: Logger): void {
  console.log = console.info = console.debug = (...values) => log.info(format(...values));
  console.warn = (...values) => log.warn(format(...values));
  console.error = (...values) => log.error(format(...values));
  process.removeAllListeners('warning').on('warning', (warning) => log.warn(warning));
  process.on('uncaughtException', (error) => {
    log.fatal(error, 'The process exits because of an unexpected error');
    process.exit(1);
  });
}
