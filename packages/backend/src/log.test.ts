import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function write(isTTY: boolean) {
  const output: string[] = [];
  const log = createLog({ isTTY, write: (text: string) => output.push(text) > 0 });
  log.info('The first entry');
  log.warn({ queue: 'mails', waiting: 3 }, 'The second "entry"');
  log.error(new TypeError('from our code'), 'The third entry');
  log.error(new TypeError('without a message'));
  return stripVTControlCharacters(output.join(''));
}

test('Without a terminal, each entry is one line of JSON', () => {
  const lines = write(false).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'info', msg: 'The first entry' }),
    expect.objectContaining({ level: 'warn', msg: 'The second "entry"', queue: 'mails', waiting: 3 }),
    expect.objectContaining({
      level: 'error',
      msg: 'The third entry',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      err: expect.objectContaining({ type: 'TypeError', message: 'from our code', stack: expect.any(String) }),
    }),
    expect.objectContaining({ level: 'error', msg: 'without a message' }),
  ]);
});

test('In a terminal, each entry is human-readable', () => {
  const [first, second, third, stack, ...rest] = write(true).split('\n');
  expect(first).toMatch(/^\d\d:\d\d:\d\d The first entry$/);
  expect(second).toMatch(/^[\d:]+ warn The second "entry" queue="mails" waiting=3$/);
  expect(third).toMatch(/^[\d:]+ error The third entry$/);
  expect(stack).toBe('TypeError: from our code');
  expect(rest.join('\n')).toMatch(/^[\d:]+ error without a message$/m);
});

test('Console output, and the error that ends the process, are also logged', async () => {
  const script = `
    const { createLog, redirectOutputToLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url))});
    redirectOutputToLog(createLog());
    console.error('%s from a library', 'A message');
    process.emitWarning('A warning from Node');
    setImmediate(() => { throw new TypeError('from our code'); });`;
  const child = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const { code, stdout, stderr } = (await child.catch((error: unknown) => error)) as Record<string, unknown>;
  expect([code, stderr]).toEqual([1, '']);
  const entries = String(stdout).trimEnd().split('\n');
  expect(entries.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'error', msg: 'A message from a library' }),
    expect.objectContaining({ level: 'warn', msg: 'A warning from Node' }),
    expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ type: 'TypeError' }) }),
  ]);
});
