import { expect, test } from 'vitest';
import { questionsInComments, questionsInHeadings } from './check-comments.ts';

test.for([
  ['a docblock', '/** What is kept of a visit. */', '/** Facts that are kept of a visit. */'],
  ['a docblock of lines', '/**\n * Whether it is there.\n */', '/**\n * Tells whether it is there.\n */'],
  ['a comment of a property', '  /** How long it waits. */', '  /** Longest wait, in milliseconds. */'],
  ['a comment of a statement', '  // Whoever asks first.', '  // The first to ask.'],
  ['a comment of several lines', '// Where it is\n// kept.', '// It lies where\n// Which files are is known.'],
  ['a comment in JSX', '  {/* When there is room. */}', '  {/* Shown when there is room. */}'],
  ['a stylesheet', '/* Which colours\n   there are. */', '/* Colours. */'],
  ['the first word alone', '/** Who */', '/** Whole */'],
])('%s: a question is found, and a sentence is not', ([, question = '', sentence = '']) => {
  expect(questionsInComments('app/a.ts', question)).toHaveLength(1);
  expect(questionsInComments('app/a.ts', sentence)).toEqual([]);
});

test('Every question is told with its line and its word, and code is left alone', () => {
  const source = [
    "const help = 'What the assistant should know';",
    '/** Returns it. */',
    '',
    '/**',
    ' * However it ends.',
    ' */',
    "const address = 'https://site.example'; // Where it lies stands behind a statement.",
    '// Whose turn it is.',
  ].join('\n');
  expect(questionsInComments('app/a.ts', source)).toEqual([
    'app/a.ts:4: start the comment with a verb or noun instead of However',
    'app/a.ts:8: start the comment with a verb or noun instead of Whose',
  ]);
});

test('A heading that asks is told with its line, and one that names its subject is not', () => {
  expect(questionsInHeadings('docs/decisions/a.md', '# Mails\n\nWhat they are.\n\n## Who sends them\n')).toEqual([
    'docs/decisions/a.md:5: name the subject in the heading instead of starting with Who',
  ]);
});
