/** Lines that the recipes for a kind of content and for a field of posts add, in addition to the folder new-kind. */
import type { Edit } from '../support/recipe-copy.ts';

export const KIND_EDITS: Edit[] = [
  // Edits for a kind of content. They add its import, its entry in the list of kinds, its labels, its schema file in
  // config.toml, and its row in rows.sql.
  [
    'app/content/kinds.ts',
    `import type { ContentKind } from './kind.ts';\n`,
    `import { caseStudies } from './case-studies/kind.ts';\n`,
  ],
  ['app/content/kinds.ts', 'services, reviews, teamMembers', ', caseStudies'],
  [
    'app/api/places/kind-names.ts',
    'export const KIND_NAMES = {\n',
    `  case_studies: { path: 'case-studies', singular: 'case study', plural: 'case studies' },\n`,
  ],
  ['supabase/config.toml', '  "./schemas/content/reviews.sql",\n', '  "./schemas/content/case-studies.sql",\n'],
  [
    'supabase/schemas/rows.sql',
    `  ('reviews', 'author_name', 'display_order, created_at', null, '{}'),\n`,
    `  ('case_studies', 'headline', 'display_order, created_at', '/case-studies/{slug}', '{story}'),\n`,
  ],
  // Edits for a field of posts.
  [
    'supabase/schemas/content/posts.sql',
    '  featured_image text check (length(featured_image) <= 2000),\n',
    `  subtitle text not null default '' check (length(subtitle) <= 300),\n`,
  ],
  ['app/content/posts/schema.ts', "  title: requiredText('Title'),\n", "  subtitle: optionalText('Subtitle', 300),\n"],
  [
    'app/content/posts/fields.tsx',
    '      <TextField<PostForm> name="title" required />\n',
    '      <TextField<PostForm> name="subtitle" />\n',
  ],
];

/** Files that the two recipes change, except generated ones. */
export const KIND_FILES = [
  'app/api/places/kind-names.ts',
  ...['fields.tsx', 'kind.ts', 'schema.ts'].map((file) => `app/content/case-studies/${file}`),
  'app/content/kinds.ts',
  ...['config.toml', 'schemas/content/case-studies.sql', 'schemas/rows.sql'].map((file) => `supabase/${file}`),
  'app/content/posts/fields.tsx',
  'app/content/posts/schema.ts',
  'supabase/schemas/content/posts.sql',
];
