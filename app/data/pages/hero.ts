import { z } from 'zod';

export const heroSchema = z.object({
  mainHeading: z.string(),
  subheading: z.string(),
  ctaText: z.string(),
  scrollText: z.string(),
  rotatingWords: z.array(z.string()),
});

export type Hero = z.infer<typeof heroSchema>;

export const heroDefaults: Hero = {
  mainHeading: 'Build something',
  subheading:
    'We design outreach, lead generation and chat systems that sound like you, run on accounts you own, and put real conversations in your calendar.',
  ctaText: 'Work with us',
  scrollText: 'Scroll to explore',
  rotatingWords: ['innovative', 'powerful', 'transformative', 'intelligent', 'seamless'],
};
