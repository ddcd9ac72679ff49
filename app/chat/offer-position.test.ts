import { expect, test } from 'vitest';
import { offerPosition } from './offer-position.ts';

const LINK = '](/#booking)';

function positionAfter(...replies: string[]): number {
  const messages = replies.flatMap((content) => [
    { role: 'user', content: 'A question' } as const,
    { role: 'assistant', content } as const,
  ]);
  return offerPosition(messages, LINK);
}

const MENTION = 'We build outreach.\n\n[Book a call](/#booking)';
const REQUESTED = 'Gladly: [book a call](/#booking).';

test('Shows an offer only below the first reply that links to it', () => {
  expect(positionAfter('No offer')).toBe(-1);
  expect(positionAfter('No offer', MENTION, MENTION)).toBe(3);
});

test('Moves an offer below the last reply to a request for it', () => {
  expect(positionAfter(MENTION, REQUESTED, MENTION)).toBe(3);
  expect(positionAfter(MENTION, REQUESTED, MENTION, REQUESTED)).toBe(7);
  expect(offerPosition([{ role: 'user', content: REQUESTED }], LINK)).toBe(-1);
});
