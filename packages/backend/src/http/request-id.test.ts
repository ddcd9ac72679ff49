import { expect, test } from 'vitest';
import { requestIdFrom } from './request-id.ts';

test.each(['4bf92f3577b34da6a3ce929d0e0e4736', '01JD3R8Q4ZK1W5X9V7T6S2P0MN', '1-67891233-abcdef012345678912345678'])(
  'The valid id %s is kept',
  (id) => expect(requestIdFrom(id)).toBe(id),
);

test.each([undefined, null, '', 'short', 'ada@example.com', 'two words', 'a\nline', `x${'y'.repeat(64)}`])(
  'The invalid id %j is replaced with a new one',
  (id) => expect(requestIdFrom(id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
);
