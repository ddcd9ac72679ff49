import type { SocialLink } from '../../content/pages/footer.ts';

/** Names of the platforms, as they write them. */
export const PLATFORM_NAMES: Record<SocialLink['platform'], string> = {
  facebook: 'Facebook',
  twitter: 'X (Twitter)',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
};
