import { DatabaseError, parseConfig } from '@signalfjord/backend';
import { expect, test } from 'vitest';
import { explainStartError } from './start-error.ts';

const config = parseConfig({ DATA_DIR: '/tmp' });
const withCode = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });

test('A full disk, a read-only folder and a port in use have different messages', async () => {
  expect(await explainStartError(withCode('ENOSPC'), config)).toBe(
    'The disk of /tmp is full. Free some space and start again.',
  );
  expect(await explainStartError(withCode('EACCES'), config)).toContain('The folder /tmp is not writable (EACCES)');
  expect(await explainStartError(withCode('EACCES', { syscall: 'listen', port: 80 }), config)).toContain(
    'may not listen on port 3000',
  );
});

test('A port conflict of the metrics server names METRICS_PORT', async () => {
  const withMetrics = parseConfig({ METRICS_PORT: '9464' });
  const explainPort = (port: number) =>
    explainStartError(withCode('EADDRINUSE', { syscall: 'listen', port }), withMetrics);
  expect(await explainPort(9464)).toBe(
    'Port 9464 on 127.0.0.1 is already in use. Stop the other program or set METRICS_PORT to another port.',
  );
  expect(await explainPort(3000)).toBe(
    'Port 3000 on 127.0.0.1 is already in use. Stop the other program or set PORT to another port.',
  );
});

test('An unexpected error returns null', async () => {
  expect(await explainStartError(new TypeError('unexpected'), config)).toBeNull();
});

test('With an external database, only errors of the database are attributed to it', async () => {
  const external = parseConfig({ DATA_DIR: '/tmp', DATABASE_URL: 'postgres://user:secret@db/site' });
  expect(await explainStartError(new TypeError('unexpected'), external)).toBeNull();
  expect(await explainStartError(withCode('EACCES', { path: '/tmp/x' }), external)).toContain('/tmp is not writable');
  expect(await explainStartError(withCode('ECONNREFUSED'), external)).toContain('The database of DATABASE_URL');
  const migrationError = new Error('x.sql failed: no', { cause: new DatabaseError({ message: 'no' }) });
  expect(await explainStartError(migrationError, external)).toBe(
    'The database of DATABASE_URL cannot be used (x.sql failed: no).',
  );
});
