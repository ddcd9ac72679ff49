import { expect, test } from 'vitest';
import { everyToken, readMarkdown } from './markdown.ts';

function typesOf(text: string): string[] {
  return readMarkdown(text).tokens.map(({ type }) => type);
}

const VIDEO = 'https://youtu.be/dQw4w9WgXcQ';

test('A video URL on its own line becomes a video in any block', () => {
  expect(typesOf(VIDEO)).toEqual(['video']);
  expect(typesOf(`Look:\n${VIDEO}\nand read.`)).toEqual(['paragraph', 'video', 'paragraph']);
  expect(typesOf(`<${VIDEO}>`)).toEqual(['video']);
  expect(typesOf('/storage/v1/object/public/content-media/a.mp4')).toEqual(['video']);
  const nestedTokens = [...everyToken(readMarkdown(`> ${VIDEO}\n\n- one\n- ${VIDEO}\n`).tokens)];
  expect(nestedTokens.filter(({ type }) => type === 'video')).toHaveLength(2);
});

test.each([
  `See ${VIDEO}`,
  `${VIDEO} there`,
  `\`${VIDEO}\``,
  `    ${VIDEO}`,
  `\`\`\`\n${VIDEO}\n\`\`\``,
  `[a video](${VIDEO})`,
  `# ${VIDEO}`,
  '/about',
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
])('%j does not become a video', (text) => {
  expect([...everyToken(readMarkdown(text).tokens)].map(({ type }) => type)).not.toContain('video');
});

test('Footnotes are numbered in order of their references, including references in other footnotes', () => {
  const { tokens, notes } = readMarkdown(
    'B[^b], a[^A], b again[^b], none[^c].\n\n[^a]: First line\n  and next.\n\n    A second paragraph[^d].\n[^b]: B\n[^d]: D\n[^unused]: U',
  );
  expect(notes.map(({ number, marks }) => [number, marks])).toEqual([
    [1, 2],
    [2, 1],
    [3, 1],
  ]);
  expect(notes[1]?.tokens.map(({ type }) => type)).toEqual(['paragraph', 'space', 'paragraph']);
  const marks = [...everyToken(tokens)].filter((token) => token.type === 'noteMark' && token.label !== 'd');
  expect(marks).toMatchObject([
    { number: 1, occurrence: 1 },
    { number: 2, occurrence: 1 },
    { number: 1, occurrence: 2 },
    { number: null },
  ]);
});

test('A footnote that refers to itself is listed once', () => {
  expect(readMarkdown('x[^1]\n\n[^1]: y[^1]').notes).toMatchObject([{ number: 1, marks: 2 }]);
});

// Without limits, each of these texts takes the library several seconds or overflows its stack.
test.each([
  ['quotes', '>'.repeat(20_000)],
  ['lists', '- '.repeat(5000)],
  ['emphasis', '*'.repeat(10_000)],
  ['emphasis marks', '_a'.repeat(30_000)],
  ['strikethrough marks', '~a~~ '.repeat(20_000)],
  ['table columns', `|${' a |'.repeat(5000)}\n|${'---|'.repeat(5000)}\n${'|\n'.repeat(2000)}`],
  ['table rows', `| a | b |\n|---|--:|\n${'| 1 | 2 |\n'.repeat(10_000)}`],
  ['brackets', '[^'.repeat(50_000)],
  ['footnote references', `${'[^a]'.repeat(10_000)}\n\n[^a]: A`],
  ['footnotes', Array.from({ length: 5000 }, (_, n) => `x[^${n}]\n\n[^${n}]: note ${n}\n`).join('\n')],
  ['empty lines after a footnote', `[^a]: A${'\n'.repeat(100_000)}x`],
  ['spaces', `a${' '.repeat(100_000)}b`],
  ['consecutive lines', '# a\nb\n'.repeat(10_000)],
  ['nested callouts', Array.from({ length: 200 }, (_, n) => `${'>'.repeat(n)} [!NOTE]`).join('\n')],
])('Parses a text with many %s in reasonable time', (_name, text) => {
  const { tokens } = readMarkdown(text);
  expect(tokens.length).toBeGreaterThan(0);
  expect(Math.max(...depthsOf(tokens, 0))).toBeLessThan(80);
});

function depthsOf(part: readonly object[], depth: number): number[] {
  return part.flatMap((token) => {
    const { tokens, items } = token as { tokens?: object[]; items?: object[] };
    return [depth, ...depthsOf(tokens ?? items ?? [], depth + 1)].slice(0, 1000);
  });
}
