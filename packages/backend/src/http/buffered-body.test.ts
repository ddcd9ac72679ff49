import { expect, test } from 'vitest';
import { MemoryBudget } from '../limits/memory-budget.ts';
import { ApiError } from './api-error.ts';
import { bufferBody, withBufferedBody } from './buffered-body.ts';

const createError = () => new Error('no room');

/** Builds a request whose body the test writes. */
function streamRequest() {
  const { readable, writable } = new TransformStream<Uint8Array>(undefined, { highWaterMark: 2 });
  // Node requires `duplex` for a stream body, but the DOM types do not have it.
  const init = { method: 'POST', body: readable, duplex: 'half' };
  return { request: new Request('http://x/', init), writer: writable.getWriter() };
}

test('A body is read completely, and counted until its request is finished', async () => {
  const bytes = new MemoryBudget();
  const request = new Request('http://x/', { method: 'POST', body: 'Hello' });
  const body = bufferBody(request, '192.0.2.1', bytes);
  expect(await withBufferedBody(request, body, createError).text()).toBe('Hello');
  expect(bytes.stats().bytes.body).toBe(5);
  body.release();
  expect(bytes.stats().bytes.body).toBe(0);
});

test('A stalled body that was ended to free memory is rejected', async () => {
  let now = 0;
  const bytes = new MemoryBudget(() => now);
  const { request, writer } = streamRequest();
  const body = bufferBody(request, '192.0.2.1', bytes);
  const text = withBufferedBody(request, body, createError).text();
  await writer.write(new Uint8Array(20 * 1024 * 1024));
  while (bytes.stats().bytes.body === 0) await new Promise((resolve) => setImmediate(resolve));
  now = 1000;
  expect(bytes.reserve('body', '192.0.2.1', () => undefined).add(20 * 1024 * 1024)).toBe(true);
  await expect(text).rejects.toThrow('no room');
  body.release();
  expect(bytes.stats().bytes.body).toBe(20 * 1024 * 1024);
});

test('An aborted body is a client error (400)', async () => {
  const { request, writer } = streamRequest();
  const body = bufferBody(request, '192.0.2.1', new MemoryBudget());
  const text = withBufferedBody(request, body, createError).text();
  await writer.write(new Uint8Array(10));
  await writer.abort(new Error('ECONNRESET')).catch(() => undefined);
  await expect(text).rejects.toBeInstanceOf(ApiError);
  await expect(text).rejects.toMatchObject({ status: 400 });
});

test('Bodies of the service role are not limited', async () => {
  const bytes = new MemoryBudget();
  const request = new Request('http://x/', { method: 'POST', body: 'x'.repeat(30 * 1024 * 1024) });
  expect((await withBufferedBody(request, bufferBody(request, '', bytes), createError).text()).length).toBe(
    30 * 1024 * 1024,
  );
  expect(bytes.stats().bytes.body).toBe(0);
});
