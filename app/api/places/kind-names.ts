/** Names of a kind of content in the texts and URLs of the admin area. */
export interface KindNames {
  /** URL segment after /admin/. */
  path: string;
  /** Singular in lower case: 'team member'. */
  singular: string;
  plural: string;
}

export const KIND_NAMES = {
  posts: { path: 'posts', singular: 'post', plural: 'posts' },
  projects: { path: 'projects', singular: 'project', plural: 'projects' },
  services: { path: 'services', singular: 'service', plural: 'services' },
  reviews: { path: 'reviews', singular: 'review', plural: 'reviews' },
  team_members: { path: 'team', singular: 'team member', plural: 'team members' },
  faq: { path: 'faq', singular: 'question', plural: 'questions' },
} as const satisfies Record<string, KindNames>;

/** Returns the names of the kind that a table stores, or undefined for other tables. */
export function kindNames(table: string): KindNames | undefined {
  const names: Readonly<Record<string, KindNames>> = KIND_NAMES;
  return Object.hasOwn(names, table) ? names[table] : undefined;
}

/** Capitalises the first letter: 'Team member'. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Converts to title case for buttons and titles: 'Team Member'. */
export function titleCased(text: string): string {
  return text.split(' ').map(capitalized).join(' ');
}
