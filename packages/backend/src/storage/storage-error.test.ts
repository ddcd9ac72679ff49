import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseBusyError } from '../database/database.ts';
import { errorResponse, slowDown, storeUnavailable } from './storage-error.ts';

/** Returns the response to an error, and the log entries. */
function respond(error: unknown, signal?: AbortSignal) {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const request = new Request('http://x/storage/v1/object/a/b', signal ? { signal } : {});
  return { response: errorResponse(error, { log, request }), lines };
}

test('Expected errors are not logged', () => {
  for (const error of [slowDown(429, 'Too many'), slowDown(503, 'Too many'), new DatabaseBusyError()]) {
    const { response, lines } = respond(error);
    expect([429, 503]).toContain(response.status);
    expect(lines).toEqual([]);
  }
});

test('An unavailable dependency and an unexpected error are logged with their cause', () => {
  for (const error of [storeUnavailable(new Error('connect ECONNREFUSED')), new Error('unforeseen')]) {
    const { response, lines } = respond(error);
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('stack');
  }
});

test('The error of an aborted request is not logged', () => {
  expect(respond(new Error('aborted'), AbortSignal.abort()).lines).toEqual([]);
});
