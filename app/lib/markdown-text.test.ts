import { expect, test } from 'vitest';
import { markdownText } from './markdown-text.ts';

test.each([
  ['Two **weeks**, as a [rule](/services).', 'Two weeks, as a rule.'],
  ['# Plan\n\nFirst\nthis.\n\n- one\n- *two*\n\n1. three', 'Plan First this. one two three'],
  ['| A | B |\n|---|---|\n| 1 | `2` |', 'A B 1 2'],
  ['> Said.\n\n```\ncode\n```', 'Said. code'],
  ['Fish & chips\\*', 'Fish & chips*'],
  ['![A chart](/chart.png)', 'A chart'],
  ['', ''],
])('%j reads %j', (markdown, text) => {
  expect(markdownText(markdown)).toBe(text);
});
