import { expect, test } from 'vitest';
import { findCycles, findRoomCycles, forbiddenImports } from './check-boundaries.ts';

const importing = (target: string) => `import { thing } from '${target}';`;

test.for([
  ['app/ui/button.tsx', '../accounts/account.ts', '../api/paging.ts'],
  ['app/api/supabase.ts', '../ui/button.tsx', './error-code.ts'],
  ['app/media/media.ts', '../editing/document.ts', '../api/tables.ts'],
  ['app/editing/document.ts', '../content/kinds.ts', '../media/media.ts'],
  ['app/settings/settings.ts', '../content/kinds.ts', '../editing/document.ts'],
  ['app/bookings/site/booking-page.tsx', '../../site/page-header.tsx', '../../ui/card.tsx'],
  ['app/leads/leads.ts', '../chat/conversations.ts', '../settings/settings.ts'],
  ['app/site/news/list.tsx', '../../admin/shell/sidebar.tsx', '../../content/posts/published.ts'],
  ['app/portal/team-leads.tsx', '../site/home/hero.tsx', '../leads/leads.ts'],
  ['app/chat/window.tsx', '../../packages/backend/src/config.ts', '../api/visitor-api.ts'],
  ['app/chat/window.tsx', '../../supabase/functions/ai-chat/answer.ts', '../../supabase/functions/ai-chat/origins.ts'],
  ['app/root.tsx', '../server/main.ts', './site/navigation/navigation.tsx'],
  ['packages/backend/src/rest/plan.ts', '../auth/routes.ts', '../database/database.ts'],
  ['packages/backend/src/database/migrate.ts', '../rest/plan.ts', './database.ts'],
  ['packages/backend/src/create-backend.ts', '../../../app/router.tsx', './rest/routes.ts'],
  ['packages/backend/tests/rest-read.test.ts', '../../../tests/support/site.ts', '../src/config.ts'],
  ['server/main.ts', '../app/chat/chat-window.tsx', '../app/api/host/site-host.ts'],
  ['server/main.ts', '../packages/backend/src/config.ts', './serve-site.ts'],
  ['supabase/functions/ai-chat/index.ts', '../../../packages/backend/src/config.ts', './answer.ts'],
])('%s cannot import %s, but can import %s', ([file = '', forbidden = '', allowed = '']) => {
  expect(forbiddenImports(file, importing(forbidden))).toHaveLength(1);
  expect(forbiddenImports(file, importing(allowed))).toEqual([]);
});

test('A module for visitors cannot import from the admin or portal folder of its own room', () => {
  for (const folder of ['admin', 'portal']) {
    const source = importing(`./${folder}/week.tsx`);
    expect(forbiddenImports('app/bookings/booking-panel.tsx', source)).toHaveLength(1);
    expect(forbiddenImports(`app/bookings/${folder}/page.tsx`, importing('./week.tsx'))).toEqual([]);
  }
});

test('Type imports, side-effect imports and dynamic imports are checked', () => {
  for (const source of [
    `import type { A } from '../admin/a.ts'`,
    `import '../admin/a.ts'`,
    `await import('../admin/a.ts')`,
  ]) {
    expect(forbiddenImports('app/site/page.tsx', source)).toHaveLength(1);
  }
});

test('A folder in app/ that is not a room is rejected', () => {
  expect(forbiddenImports('app/helpers/misc.ts', '')).toHaveLength(1);
});

test('Circular imports are rejected, including circular type imports', () => {
  const chain = [
    ['app/chat/window.tsx', `import { ask } from './ask.ts';`],
    ['app/chat/ask.ts', `import { send } from './send.ts';`],
  ] as const;
  expect(
    findCycles(new Map([...chain, ['app/chat/send.ts', `import type { Lead } from '../leads/leads.ts';`]])),
  ).toEqual([]);
  expect(findCycles(new Map([...chain, ['app/chat/send.ts', `import type { Answer } from './ask.ts';`]]))).toEqual([
    'Circular imports: app/chat/ask.ts -> app/chat/send.ts -> app/chat/ask.ts',
  ]);
});

test('Only layouts in app/ load code of the admin area on demand', () => {
  const loading = (target: string) => `const Part = lazy(() => import('${target}'));`;
  expect(forbiddenImports('app/site.route.tsx', loading('./admin/page-editing/edit-page.tsx'))).toEqual([]);
  expect(forbiddenImports('app/site.route.tsx', importing('./admin/page-editing/edit-page.tsx'))).toHaveLength(1);
  expect(forbiddenImports('app/site/home/hero.tsx', loading('../../admin/pages/move-buttons.tsx'))).toHaveLength(1);
});

test('Circular imports between rooms are rejected', () => {
  expect(findRoomCycles()).toEqual([]);
  expect(findRoomCycles({ 'app/chat': ['app/leads'], 'app/leads': ['app/chat'] })).toHaveLength(1);
});
