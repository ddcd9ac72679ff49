import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AssistantCheck } from '../assistant-checks.ts';
import { CheckCard } from './check-card.tsx';

const CHECK: AssistantCheck = {
  id: '1',
  question: 'Can we cancel?',
  must_name: ['thirty days', '/contact'],
  must_not_name: ['ninety'],
  passed: null,
  answer: '',
  ran_at: null,
  created_at: '2026-01-01T10:00:00Z',
  updated_at: '2026-01-01T10:00:00Z',
  changed_by: null,
};

function renderText(check: Partial<AssistantCheck>): string {
  const html = renderToStaticMarkup(
    <CheckCard check={{ ...CHECK, ...check }} onEdit={() => undefined} onDelete={() => undefined} />,
  );
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

test('Shows no faults and no answer before the first run', () => {
  const text = renderText({});
  expect(text).toContain('Not run yet');
  expect(text).not.toMatch(/is missing|is included|The answer/);
});

test('Shows the answer of a passed check, and the missing and forbidden phrases of a failed check', () => {
  const ran_at = '2026-01-02T10:00:00Z';
  const passedText = renderText({ passed: true, ran_at, answer: 'Thirty days. [Contact](/contact)' });
  expect(passedText).toMatch(/Right.*Thirty days\./);
  expect(passedText).not.toMatch(/is missing|is included/);
  expect(renderText({ passed: false, ran_at, answer: 'Ninety days, see [Contact](/contact).' })).toMatch(
    /Wrong.*“thirty days” is missing.*“ninety” is included/,
  );
});
