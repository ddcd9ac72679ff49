import { expect, test } from 'vitest';
import { circles, forbiddenImports } from './check-boundaries.ts';

const importing = (target: string) => `import { thing } from '${target}';`;

test.for([
  ['app/ui/button.tsx', '../data/posts.ts', '../lib/class-names.ts'],
  ['app/lib/slug.ts', '../ui/button.tsx', './other.ts'],
  ['app/data/posts.ts', '../site/home/home.route.tsx', '../ui/toast.ts'],
  ['app/site/news/list.tsx', '../../admin/shell.tsx', '../../data/posts.ts'],
  ['app/auth/form.tsx', '../portal/guard.ts', '../ui/field.tsx'],
  ['app/chat/window.tsx', '../../packages/backend/src/config.ts', '../data/api.ts'],
  ['app/admin/pages/editor.tsx', '../../portal/guard.ts', '../../site/home/hero.tsx'],
  ['app/form/field.tsx', '../admin/list/sortable-list.tsx', '../ui/field.tsx'],
  ['app/writer/writer.tsx', '../admin/media/media-library.tsx', '../form/field-label.ts'],
  ['app/brand/brand.ts', '../data/brand/logo.ts', './slug.ts'],
  ['app/data/posts.ts', '../content/posts/kind.ts', '../lib/paging.ts'],
  ['app/admin/media/media-library.tsx', '../content/content-list.tsx', '../list/sortable-list.tsx'],
  ['app/admin/conversations/list.tsx', '../content/content-list.tsx', '../list/sortable-list.tsx'],
  ['app/site/news/news.route.tsx', '../../content/posts/kind.ts', '../../content/posts/published.ts'],
  ['app/content/posts/fields.tsx', '../../admin/list/sortable-list.tsx', '../../form/text-field.tsx'],
  ['app/root.tsx', '../server/main.ts', './navigation/navigation.tsx'],
  ['packages/backend/src/rest/plan.ts', '../auth/routes.ts', '../database/database.ts'],
  ['packages/backend/src/database/migrate.ts', '../rest/plan.ts', './database.ts'],
  ['packages/backend/src/create-backend.ts', '../../../app/router.tsx', './rest/routes.ts'],
  ['server/main.ts', '../app/router.tsx', '../app/host/site-host.ts'],
  ['server/main.ts', '../packages/backend/src/config.ts', './serve-site.ts'],
  ['supabase/functions/ai-chat/index.ts', '../../../packages/backend/src/config.ts', './answer.ts'],
])('%s may not import %s, but may import %s', ([file = '', forbidden = '', allowed = '']) => {
  expect(forbiddenImports(file, importing(forbidden))).toHaveLength(1);
  expect(forbiddenImports(file, importing(allowed))).toEqual([]);
});

test('Imports of types, for their effect, and on demand are imports too', () => {
  for (const source of [
    `import type { A } from '../auth/a.ts'`,
    `import '../auth/a.ts'`,
    `await import('../auth/a.ts')`,
  ]) {
    expect(forbiddenImports('app/site/page.tsx', source)).toHaveLength(1);
  }
});

test('A folder that nobody placed in the direction is refused', () => {
  expect(forbiddenImports('app/helpers/misc.ts', '')).toHaveLength(1);
});

test('A circle of imports is refused, also one of types alone; a line of them is not', () => {
  const line = [
    ['app/chat/window.tsx', `import { ask } from './ask.ts';`],
    ['app/chat/ask.ts', `import { send } from './send.ts';`],
  ] as const;
  expect(circles(new Map([...line, ['app/chat/send.ts', `import type { Lead } from '../data/leads.ts';`]]))).toEqual(
    [],
  );
  expect(circles(new Map([...line, ['app/chat/send.ts', `import type { Answer } from './ask.ts';`]]))).toEqual([
    'Imports in a circle: app/chat/ask.ts -> app/chat/send.ts -> app/chat/ask.ts',
  ]);
});
