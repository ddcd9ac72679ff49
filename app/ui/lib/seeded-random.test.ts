import { expect, test } from 'vitest';
import { seededRandom } from './seeded-random.ts';

const firstNumbers = (text: string, count: number) => {
  const random = seededRandom(text);
  return Array.from({ length: count }, () => random());
};

test('The same seed gives the same numbers, and a different seed gives different numbers', () => {
  expect(firstNumbers('chatbot-launch', 5)).toEqual(firstNumbers('chatbot-launch', 5));
  expect(firstNumbers('chatbot-launch', 5)).not.toEqual(firstNumbers('chatbot-launch-2', 5));
});

test('Numbers are distributed between 0 and 1, even for an empty seed', () => {
  for (const text of ['', 'a', 'Bokmål og nynorsk']) {
    const numbers = firstNumbers(text, 2000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, value) => sum + value, 0) / numbers.length).toBeCloseTo(0.5, 1);
  }
});
