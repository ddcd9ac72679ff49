import { expect, test } from 'vitest';
import { offerPosition } from './offer-position.ts';

const LINK = '](/#booking)';

function place(...replies: string[]): number {
  const messages = replies.flatMap((content) => [
    { role: 'user', content: 'A question' } as const,
    { role: 'assistant', content } as const,
  ]);
  return offerPosition(messages, LINK);
}

const ADDED = 'We build outreach.\n\n[Book a call](/#booking)';
const ASKED = 'Gladly: [book a call](/#booking).';

test('Shows an offer only below the first reply that adds it', () => {
  expect(place('No offer')).toBe(-1);
  expect(place('No offer', ADDED, ADDED)).toBe(3);
});

test('Moves an offer below the last reply to a request for it', () => {
  expect(place(ADDED, ASKED, ADDED)).toBe(3);
  expect(place(ADDED, ASKED, ADDED, ASKED)).toBe(7);
  expect(offerPosition([{ role: 'user', content: ASKED }], LINK)).toBe(-1);
});
