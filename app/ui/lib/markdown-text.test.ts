import { expect, test } from 'vitest';
import { markdownText } from './markdown-text.ts';

test.each([
  ['Two **weeks**, as a [rule](/services).', 'Two weeks, as a rule.'],
  ['# Plan\n\nFirst\nthis.\n\n- one\n- *two*\n\n1. three', 'Plan First this. one two three'],
  ['| A | B |\n|---|---|\n| 1 | `2` |', 'A B 1 2'],
  ['> Said.\n\n```\ncode\n```', 'Said. code'],
  ['Fish & chips\\*', 'Fish & chips*'],
  ['![A chart](/chart.png)', 'A chart'],
  ['Before\nhttps://youtu.be/dQw4w9WgXcQ\nafter', 'Before after'],
  ['It grew[^a].\n\n[^a]: By **a half**.\n\nThen[^none] it stopped.', 'It grew. Then[^none] it stopped. By a half.'],
  ['> [!WARNING]\n> Mind the *gap*.\n>\n> - [x] done', 'Mind the gap. done'],
  ['', ''],
])('The plain text of %j is %j', (markdown, text) => {
  expect(markdownText(markdown)).toBe(text);
});
