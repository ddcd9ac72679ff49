import type { ProjectSummary } from '../../content/projects/published.ts';
import { type Motif, motifsInList } from '../../ui/cover-motifs.ts';

/**
 * Chooses the motifs of the covers of projects, in the grid and in their cases: neighbours are the next item and the
 * one after.
 */
export function motifsOfProjects(projects: readonly ProjectSummary[]): ReadonlyMap<string, Motif | undefined> {
  const slugs = projects.map(({ slug }) => slug);
  const motifs = motifsInList(slugs, 2);
  return new Map(slugs.map((slug, index) => [slug, motifs[index]]));
}
