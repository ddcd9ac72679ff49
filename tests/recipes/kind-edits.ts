/** Lines that the recipes for a kind of content and for a field of posts add, besides the folder new-kind. */
import type { Edit } from '../support/recipe-copy.ts';

export const KIND_EDITS: Edit[] = [
  // The edits of the recipe: the name in the list of kinds, its import, and its names in texts.
  [
    'app/content/kinds.ts',
    `import type { ContentKind } from './kind.ts';\n`,
    `import { caseStudies } from './case-studies/kind.ts';\n`,
  ],
  ['app/content/kinds.ts', 'services, reviews, teamMembers', ', caseStudies'],
  [
    'app/api/places/kind-names.ts',
    'export const KIND_NAMES = {\n',
    `  case_studies: { path: 'case-studies', one: 'case study', many: 'case studies' },\n`,
  ],
  // The two edits of a field on posts.
  ['app/content/posts/schema.ts', "  title: requiredText('Title'),\n", "  subtitle: optionalText('Subtitle', 300),\n"],
  [
    'app/content/posts/fields.tsx',
    '      <TextField<PostForm> name="title" required />\n',
    '      <TextField<PostForm> name="subtitle" />\n',
  ],
];

/** Files that both touch, without what is generated. */
export const KIND_FILES = [
  'app/api/places/kind-names.ts',
  ...['fields.tsx', 'kind.ts', 'schema.ts'].map((file) => `app/content/case-studies/${file}`),
  'app/content/kinds.ts',
  'supabase/migrations/20991231000000_create_case_studies.sql',
  'app/content/posts/fields.tsx',
  'app/content/posts/schema.ts',
  'supabase/migrations/20991231005000_add_subtitle_to_posts.sql',
];
