import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseBusyError } from '../database/database.ts';
import { errorResponse, slowDown, storeUnavailable } from './storage-error.ts';

/** Returns the answer to that error, and what was logged. */
function answer(error: unknown, signal?: AbortSignal) {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const request = new Request('http://x/storage/v1/object/a/b', signal ? { signal } : {});
  return { response: errorResponse(error, { log, request }), lines };
}

test('Nothing is logged of a refusal, whichever part refuses', () => {
  for (const refusal of [slowDown(429, 'Too many'), slowDown(503, 'Too many'), new DatabaseBusyError()]) {
    const { response, lines } = answer(refusal);
    expect([429, 503]).toContain(response.status);
    expect(lines).toEqual([]);
  }
});

test('What is away and what nobody foresaw is logged with its cause', () => {
  for (const error of [storeUnavailable(new Error('connect ECONNREFUSED')), new Error('unforeseen')]) {
    const { response, lines } = answer(error);
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('stack');
  }
});

test('Nothing is logged of a request that nobody waits for any more', () => {
  expect(answer(new Error('left'), AbortSignal.abort()).lines).toEqual([]);
});
