import { z } from 'zod';

const phaseSchema = z.object({ name: z.string(), duration: z.string() });

export const uspsSchema = z.object({
  card1: z.object({
    heading: z.string(),
    quote: z.string(),
    clientName: z.string(),
    clientTitle: z.string(),
    clientCompany: z.string(),
  }),
  card2: z.object({ percentage: z.string(), description: z.string() }),
  card3: z.object({ company: z.string(), description: z.string(), linkText: z.string() }),
  card4: z.object({
    dollarAmount: z.string(),
    description: z.string(),
    /** Link to the case behind the amount. Empty in older content. */
    caseLinkText: z.string().default(''),
    caseUrl: z.string().default(''),
  }),
  card5: z.object({
    processHeading: z.string(),
    processDescription: z.string(),
    processLinkText: z.string(),
    timeline: z.object({
      description: z.string(),
      phase1: phaseSchema,
      phase2: phaseSchema,
      phase3: phaseSchema,
    }),
  }),
  card6: z.object({ heading: z.string(), description: z.string() }),
});

export type Usps = z.infer<typeof uspsSchema>;

export const uspsDefaults: Usps = {
  card1: {
    heading: 'What it is like',
    quote: 'For the first time our outbound reads like us. People answer to argue with the idea, not to unsubscribe.',
    clientName: 'Ragnhild Eide',
    clientTitle: 'Commercial Director',
    clientCompany: 'Fjellhus',
  },
  card2: {
    percentage: '40%',
    description: 'more qualified meetings per seller, measured over two quarters against the same team before.',
  },
  card3: {
    company: 'Nordvik Logistics',
    description:
      'From a shared inbox and a bought list to a pipeline that sorts every reply and routes it within a minute.',
    linkText: 'Read the case',
  },
  card4: {
    dollarAmount: '$2M+',
    description: 'in pipeline opened by systems we built, counted only when the client’s own CRM says so.',
    caseLinkText: 'See the projects',
    // Links to the list, because a link to one project would break when its sample is hidden.
    caseUrl: '/projects',
  },
  card5: {
    processHeading: 'How we work',
    processDescription: 'Three phases, one owner, and a system that is yours at the end of each of them.',
    processLinkText: 'See the services',
    timeline: {
      description: 'A whole sales system, from first workshop to hand-over. Single services take weeks.',
      phase1: { name: 'Discovery', duration: '2 Months' },
      phase2: { name: 'Build', duration: '3 Months' },
      phase3: { name: 'Deploy', duration: '4 Months' },
    },
  },
  card6: {
    heading: 'Small on purpose',
    description:
      'Engineers and writers in Oslo. The people you meet first are the people who build, and we take on a handful of clients at a time.',
  },
};
