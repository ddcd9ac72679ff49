import type { MediaUsage } from '../../data/media.ts';

const CONTENT: Readonly<Record<string, { words: string; path: string }>> = {
  posts: { words: 'Post', path: 'posts' },
  projects: { words: 'Project', path: 'projects' },
  services: { words: 'Service', path: 'services' },
  reviews: { words: 'Review', path: 'reviews' },
  team_members: { words: 'Team member', path: 'team' },
};

/** What a file is used in, in words, and the admin page where that is changed. */
export function usageTarget({ kind, id, title }: MediaUsage): { words: string; path: string } {
  const content = CONTENT[kind];
  if (content) return { words: `${content.words} "${title}"`, path: `/admin/${content.path}/${id}/edit` };
  if (kind === 'page_content') return { words: `Page section "${title}"`, path: `/admin/pages/${pagesEditor(title)}` };
  return { words: `Setting "${title}"`, path: '/admin/settings' };
}

/** The editor of a section that is named like 'home/hero' or 'news/header'. */
function pagesEditor(title: string): string {
  if (title.endsWith('/header')) return 'headers';
  return title.startsWith('about/') ? 'about' : 'home';
}
