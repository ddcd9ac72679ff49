import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseBusyError } from '../database/database.ts';
import { errorResponse, slowDown, storeUnavailable } from './storage-error.ts';

/** Returns the response to that error, and the log entries. */
function answer(error: unknown, signal?: AbortSignal) {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const request = new Request('http://x/storage/v1/object/a/b', signal ? { signal } : {});
  return { response: errorResponse(error, { log, request }), lines };
}

test('An expected error of any part is not logged', () => {
  for (const refusal of [slowDown(429, 'Too many'), slowDown(503, 'Too many'), new DatabaseBusyError()]) {
    const { response, lines } = answer(refusal);
    expect([429, 503]).toContain(response.status);
    expect(lines).toEqual([]);
  }
});

test('An unavailable dependency and an unexpected error are logged with their cause', () => {
  for (const error of [storeUnavailable(new Error('connect ECONNREFUSED')), new Error('unforeseen')]) {
    const { response, lines } = answer(error);
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('stack');
  }
});

test('The error of an aborted request is not logged', () => {
  expect(answer(new Error('left'), AbortSignal.abort()).lines).toEqual([]);
});
