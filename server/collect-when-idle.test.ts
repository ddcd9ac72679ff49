import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectWhenIdle } from './collect-when-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const heapBytes = () => process.memoryUsage().heapUsed;

/** Leaves 200 MB of garbage in the old generation. @returns the heap size with it */
function leaveGarbage(): number {
  const garbage = Array.from({ length: 200 }, (_, n) => Array.from({ length: 131_072 }, () => n + 0.5));
  return garbage.length > 0 ? heapBytes() : 0;
}

test('Garbage is collected after a load peak, but not during it', () => {
  const server = new EventEmitter();
  const stop = collectWhenIdle(server);
  const sendRequests = () => {
    for (let n = 0; n < 50; n++) server.emit('request');
  };
  sendRequests();
  const bytesWithGarbage = leaveGarbage();
  vi.advanceTimersByTime(10_000);
  sendRequests();
  vi.advanceTimersByTime(10_000);
  expect(heapBytes()).toBeGreaterThan(bytesWithGarbage - 20e6);
  // A health check does not count as load.
  server.emit('request');
  vi.advanceTimersByTime(10_000);
  expect(heapBytes()).toBeLessThan(bytesWithGarbage - 150e6);
  stop();
});
