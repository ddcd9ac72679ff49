import { faq } from './faq/kind.ts';
import type { ContentKind } from './kind.ts';
import { posts } from './posts/kind.ts';
import { projects } from './projects/kind.ts';
import { reviews } from './reviews/kind.ts';
import { services } from './services/kind.ts';
import { teamMembers } from './team-members/kind.ts';

/** Kinds of content in sidebar order. Each has a list and a form at /admin/{path}. */
export const KINDS: readonly ContentKind[] = [posts, projects, services, reviews, teamMembers, faq];
