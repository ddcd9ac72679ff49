import { expect, test } from 'vitest';
import { hasPassed, judgeAnswer } from './judge-answer.ts';

const ANSWER = 'Yes, with **thirty\n days** of notice.\n\nSources:\n\n- [Can we cancel?](/contact#questions)';

test.each([
  [['Thirty days'], [], true],
  [['thirty days', '/contact'], ['ninety'], true],
  [['sixty days'], [], false],
  [[], ['NOTICE'], false],
  [[], ['ninety'], true],
])('With %j required and %j forbidden, the result is %s', (must_name, must_not_name, isRight) => {
  expect(hasPassed(judgeAnswer(ANSWER, { must_name, must_not_name }))).toBe(isRight);
});

test('The missing and the forbidden phrases are listed', () => {
  expect(judgeAnswer(ANSWER, { must_name: ['thirty', 'Oslo'], must_not_name: ['days', 'weeks'] })).toEqual({
    missing: ['Oslo'],
    forbidden: ['days'],
  });
});
