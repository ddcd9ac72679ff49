import { expect, test } from 'vitest';
import { parseConfig } from '../backend/config.ts';
import { explainStartError } from './start-error.ts';

const config = parseConfig({ DATA_DIR: '/tmp' });
const withCode = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });

test('A full disk, a folder that cannot be written and a port in use are told apart', async () => {
  expect(await explainStartError(withCode('ENOSPC'), config)).toBe(
    'The disk of /tmp is full; make room and start again.',
  );
  expect(await explainStartError(withCode('EACCES'), config)).toContain('The folder /tmp cannot be written (EACCES)');
  expect(await explainStartError(withCode('EACCES', { syscall: 'listen', port: 80 }), config)).toContain(
    'may not listen on port 3000',
  );
});

test('An error that nobody expected is left to be shown as it is', async () => {
  expect(await explainStartError(new TypeError('of our own'), config)).toBeNull();
});
