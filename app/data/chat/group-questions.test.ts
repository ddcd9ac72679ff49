import { expect, test } from 'vitest';
import { groupQuestions } from './group-questions.ts';

function groupsOf(...questions: string[]): string[][] {
  return groupQuestions(questions.map((question) => ({ question }))).map((group) =>
    group.questions.map(({ question }) => question),
  );
}

test('Alike questions stand together, whatever their case, marks and small mistakes', () => {
  expect(
    groupsOf(
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

test('The most asked come first, and of as many the newest', () => {
  expect(groupsOf('Who owns the data?', 'Parking?', 'parking', 'Weather in Bergen?')).toEqual([
    ['Parking?', 'parking'],
    ['Who owns the data?'],
    ['Weather in Bergen?'],
  ]);
});

test('Other letters, and none at all, are no reason to fail', () => {
  expect(groupsOf('料金はいくらですか', '料金はいくら', '???', '')).toEqual([
    ['料金はいくらですか', '料金はいくら'],
    ['???'],
    [''],
  ]);
});
