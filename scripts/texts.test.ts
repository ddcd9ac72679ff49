import { expect, test } from 'vitest';
import { listTexts } from './texts.ts';

test('Lists the labels, messages and emails in components with line numbers, and skips class names and imports', () => {
  const source = [
    "import { Button } from './button.tsx';",
    'export const Page = ({ name }) => (',
    '  <Button className="text-sm font-medium" aria-label="Close the menu">',
    '    Save changes',
    '  </Button>',
    ');',
    `const mail = (name) => \`Dear \${name}, please approve\`;`,
    "throw new Error('Sign in first.');",
  ].join('\n');
  expect(listTexts('app/page.tsx', source)).toEqual([
    'app/page.tsx:3: Close the menu',
    'app/page.tsx:3: Save changes',
    'app/page.tsx:7: Dear ..., please approve',
    'app/page.tsx:8: Sign in first.',
  ]);
});

test('Lists the messages of SQL functions, but not comments or error codes', () => {
  const source = "-- A note: 'Not a text'\nraise exception 'The client''s file is missing.' using errcode = 'P0002';";
  expect(listTexts('supabase/schemas/a.sql', source)).toEqual([
    "supabase/schemas/a.sql:2: The client's file is missing.",
  ]);
});
