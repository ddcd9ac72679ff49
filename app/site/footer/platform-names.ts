import type { SocialLink } from '../../content/pages/footer.ts';

/** Brand names in the platforms' own spelling. */
export const PLATFORM_NAMES: Record<SocialLink['platform'], string> = {
  facebook: 'Facebook',
  twitter: 'X (Twitter)',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
};
