import { expect, test } from 'vitest';
import known from '../supabase/functions/ai-chat/section-defaults.json' with { type: 'json' };
import { sectionTexts } from './section-texts.ts';

test('The assistant has the built-in texts of today; otherwise run node scripts/section-texts.ts', () => {
  expect(known).toEqual(JSON.parse(JSON.stringify(sectionTexts())));
});
