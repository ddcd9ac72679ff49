import type { SocialLink } from '../data/pages/footer.ts';

/** How the platforms call themselves. */
export const PLATFORM_NAMES: Record<SocialLink['platform'], string> = {
  facebook: 'Facebook',
  twitter: 'X (Twitter)',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
};
