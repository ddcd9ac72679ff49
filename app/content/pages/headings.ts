import { z } from 'zod';

const headingSchema = z.object({ eyebrow: z.string(), heading: z.string() });

/** Headings of the home page sections whose content is stored elsewhere. */
export const headingsSchema = z.object({
  highlights: headingSchema,
  services: headingSchema.extend({ description: z.string() }),
  projects: headingSchema,
  insights: headingSchema,
  reviews: z.object({ heading: z.string() }),
  contact: headingSchema,
  domainCheck: z.object({ heading: z.string(), description: z.string() }),
});

export type Headings = z.infer<typeof headingsSchema>;

export const headingsDefaults: Headings = {
  highlights: { eyebrow: 'In short', heading: 'What changes when the system is yours' },
  services: {
    eyebrow: 'Services',
    heading: 'What we build for you',
    description: 'Open a row for details, or select a service to discuss in the call.',
  },
  projects: { eyebrow: 'Recent projects', heading: 'What we built, and what changed' },
  insights: { eyebrow: 'Latest insights', heading: 'Articles from our projects' },
  reviews: { heading: 'Reviews' },
  contact: { eyebrow: 'Contact', heading: 'Write to us' },
  domainCheck: {
    heading: 'Does your mail arrive?',
    description: "Check your domain's SPF, DKIM and DMARC records in seconds. No email address needed.",
  },
};
