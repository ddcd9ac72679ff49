import { postsScreen } from '../posts/posts-screen.ts';
import { projectsScreen } from '../projects/projects-screen.ts';
import { reviewsScreen } from '../reviews/reviews-screen.ts';
import { servicesScreen } from '../services/services-screen.ts';
import { teamScreen } from '../team/team-screen.ts';
import type { ContentScreen } from './screen.ts';

/** The kinds of content that editors create, in the order of the sidebar. Each has a list and a form at /admin/{path}. */
export const CONTENT_SCREENS: readonly ContentScreen[] = [
  postsScreen,
  projectsScreen,
  servicesScreen,
  reviewsScreen,
  teamScreen,
];
