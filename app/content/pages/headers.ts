import { z } from 'zod';
import type { LegalPage, PageWithHeader } from '../../api/places/public-pages.ts';

/** Header of a public page. The home page has no header, and legal pages use legalSchema. */
export const headerSchema = z.object({ title: z.string(), description: z.string() });

export type Header = z.infer<typeof headerSchema>;

export const headerDefaults = {
  about: {
    title: 'Engineers who can write. Writers who can count.',
    description:
      '{site} is a small Oslo studio that builds outbound systems for companies whose name matters more than their send volume.',
  },
  services: {
    title: 'Three systems, built to be handed over',
    description: 'Each one works alone. Together they find the right company, say the right thing, and answer back.',
  },
  projects: {
    title: 'Work that kept working',
    description: 'What we built, for whom, and the one number that changed. Open a project for the whole story.',
  },
  news: {
    title: 'Notes from the outbound workshop',
    description: 'What we learn about deliverability, lists, copy and assistants, written down while it is fresh.',
  },
  contact: {
    title: 'Tell us what should happen next',
    description: 'Write two lines about your market and what you tried. A person who builds these systems answers.',
  },
} satisfies Record<Exclude<PageWithHeader, LegalPage>['header'], Header>;
