import { expect, test } from 'vitest';
import { findPhrases, questionsInComments, questionsInHeadings } from './check-english.ts';

test.for([
  ['a docblock', '/** What is kept of a visit. */', '/** Facts that are kept of a visit. */'],
  ['a docblock of lines', '/**\n * Whether it is there.\n */', '/**\n * Tells whether it is there.\n */'],
  ['a comment of a property', '  /** How long it waits. */', '  /** Longest wait, in milliseconds. */'],
  ['a comment of a statement', '  // Whoever asks first.', '  // The first to ask.'],
  ['a comment of several lines', '// Where it is\n// kept.', '// It lies where\n// Which files are is known.'],
  ['a comment in JSX', '  {/* When there is room. */}', '  {/* Shown when there is room. */}'],
  ['a stylesheet', '/* Which colours\n   there are. */', '/* Colours. */'],
  ['the first word alone', '/** Who */', '/** Whole */'],
])('%s: a comment that starts with a question word is reported', ([, question = '', sentence = '']) => {
  expect(questionsInComments('app/a.ts', question)).toHaveLength(1);
  expect(questionsInComments('app/a.ts', sentence)).toEqual([]);
});

test('The check reports the line and the question word of each comment and ignores code', () => {
  const source = [
    "const help = 'What the assistant should know';",
    '/** Returns it. */',
    '',
    '/**',
    ' * However it ends.',
    ' */',
    "const address = 'https://site.example'; // Where it lies follows a statement.",
    '// Whose turn it is.',
  ].join('\n');
  expect(questionsInComments('app/a.ts', source)).toEqual([
    'app/a.ts:4: start the comment with a verb or noun instead of However',
    'app/a.ts:8: start the comment with a verb or noun instead of Whose',
  ]);
});

test('The check reports the line of each heading that starts with a question word', () => {
  expect(questionsInHeadings('docs/decisions/a.md', '# Mails\n\nWhat they are.\n\n## Who sends them\n')).toEqual([
    'docs/decisions/a.md:5: name the subject in the heading instead of starting with Who',
  ]);
});

test.for([
  ['No row is returned to whoever asks', 'Returns no row to a signed-out caller'],
  ['Nobody is told', 'No one is notified'],
  ['The list is none', 'The list is empty'],
  ['The item stands in the trash', 'The item is in the trash'],
  ['What is kept goes after a year', 'Stored rows are deleted after a year'],
  ['The option isOfItem', 'The option isItemPath'],
])('Reports "%s", but not "%s"', ([rejected = '', accepted = '']) => {
  expect(findPhrases('app/a.ts', `// ${rejected}.`)).not.toEqual([]);
  expect(findPhrases('app/a.ts', `// ${accepted}.`)).toEqual([]);
});

test('Reports a phrase with its line and a suggestion', () => {
  expect(findPhrases('docs/a.md', 'First\n\nA visitor is told.')).toEqual([
    'docs/a.md:3: "told": write notified, reported, returned or shown',
  ]);
});
