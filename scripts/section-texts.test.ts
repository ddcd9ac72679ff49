import { expect, test } from 'vitest';
import known from '../supabase/functions/ai-chat/section-defaults.json' with { type: 'json' };
import { sectionTexts } from './section-texts.ts';

test('The built-in texts of the assistant are up to date (run node scripts/section-texts.ts)', () => {
  expect(known).toEqual(JSON.parse(JSON.stringify(sectionTexts())));
});
