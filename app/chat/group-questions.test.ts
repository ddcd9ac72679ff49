import { expect, test } from 'vitest';
import { excludeAnswered, groupQuestions } from './group-questions.ts';

function groupTexts(...questions: string[]): string[][] {
  return groupQuestions(questions.map((question) => ({ question }))).map((group) =>
    group.questions.map(({ question }) => question),
  );
}

test('Similar questions are grouped, ignoring case, punctuation and typos', () => {
  expect(
    groupTexts(
      'Do you offer a free trial?',
      'Are you ISO certified?',
      'do you offer a free trail',
      'Do you offer free trials',
      'are you iso-certified',
    ),
  ).toEqual([
    ['Do you offer a free trial?', 'do you offer a free trail', 'Do you offer free trials'],
    ['Are you ISO certified?', 'are you iso-certified'],
  ]);
});

test('Sorts groups by size, then by their newest question', () => {
  expect(groupTexts('Who owns the data?', 'Parking?', 'parking', 'Weather in Bergen?')).toEqual([
    ['Parking?', 'parking'],
    ['Who owns the data?'],
    ['Weather in Bergen?'],
  ]);
});

test('Groups questions in other scripts or without letters', () => {
  expect(groupTexts('料金はいくらですか', '料金はいくら', '???', '')).toEqual([
    ['料金はいくらですか', '料金はいくら'],
    ['???'],
    [''],
  ]);
});

test('Removes only questions that are older than the published answer', () => {
  const questionOn = (question: string, day: number) => ({ question, asked_at: `2026-01-0${day}T10:00:00+01:00` });
  const groups = groupQuestions([
    questionOn('Are you ISO certified?', 5),
    questionOn('are you iso-certified', 1),
    questionOn('Do you offer a free trial?', 3),
    questionOn('do you offer a free trail', 2),
    questionOn('Weather in Bergen?', 1),
  ]);
  const answers = [
    { question: 'Are you ISO certified', updated_at: '2026-01-04T09:00:00Z' },
    { question: 'Do you offer free trials?', updated_at: '2026-01-04T09:00:00Z' },
  ];
  const remaining = excludeAnswered(groups, answers).map(({ questions }) => questions.map(({ question }) => question));
  expect(remaining).toEqual([['Are you ISO certified?'], ['Weather in Bergen?']]);
  expect(excludeAnswered(groups, [])).toEqual(groups);
});
