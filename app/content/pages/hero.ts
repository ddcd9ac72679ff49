import { z } from 'zod';

export const heroSchema = z.object({
  mainHeading: z.string(),
  subheading: z.string(),
  ctaText: z.string(),
  workText: z.string(),
  scrollText: z.string(),
  rotatingWords: z.array(z.string()),
});

export type Hero = z.infer<typeof heroSchema>;

export const heroDefaults: Hero = {
  mainHeading: 'Build something',
  subheading:
    'We design outreach, lead generation and chat systems that sound like you, run on accounts you own, and put real conversations in your calendar.',
  ctaText: 'Work with us',
  workText: 'See the work',
  scrollText: 'Scroll to explore',
  rotatingWords: ['innovative', 'powerful', 'transformative', 'intelligent', 'seamless'],
};

/** Alternative headlines with matching rotating words. */
export const heroHeadlines: readonly Pick<Hero, 'mainHeading' | 'rotatingWords'>[] = [
  { mainHeading: 'Your next client is', rotatingWords: ['hiring', 'moving', 'growing', 'listening'] },
  { mainHeading: 'Outbound that sounds like', rotatingWords: ['you', 'your team', 'a person', 'a reason'] },
  { mainHeading: 'Turn quiet signals into', rotatingWords: ['answers', 'meetings', 'clients'] },
  { mainHeading: 'Fill your week with', rotatingWords: ['first calls', 'real buyers', 'good fits'] },
];
