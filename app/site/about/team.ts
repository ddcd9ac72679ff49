import { findMetadata, type PictureMetadata } from '../../api/pictures.ts';
import type { AboutTeamMember } from '../../content/pages/about-team.ts';
import type { PublishedTeamMember } from '../../content/team-members/published.ts';

/** Team member with picture metadata from the media library. */
export type ShownTeamMember = AboutTeamMember & { metadata?: PictureMetadata | undefined };

/**
 * Lists the people in the carousel: published team members, followed by the people in the page's section. If no team
 * member is published, the built-in sample members are used.
 */
export function listTeam(
  published: PublishedTeamMember[],
  sectionMembers: AboutTeamMember[],
  isSectionSaved: boolean,
): ShownTeamMember[] {
  const members = published.map(({ name, position, bio, avatar_url, pictures }) => ({
    name,
    designation: position,
    quote: bio,
    src: avatar_url ?? '',
    metadata: findMetadata(pictures, avatar_url),
  }));
  if (!isSectionSaved && members.length > 0) return members;
  const names = new Set(members.map(({ name }) => name));
  return [...members, ...sectionMembers.filter(({ name }) => !names.has(name))];
}
