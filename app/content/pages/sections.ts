/** Schemas and defaults of all editable sections. Their content is stored in page_content. */
import type { z } from 'zod';
import { keysOf, recordOf } from '../../ui/lib/keys-of.ts';
import { aboutCareersDefaults, aboutCareersSchema } from './about-careers.ts';
import { aboutTeamDefaults, aboutTeamSchema } from './about-team.ts';
import { bookingDefaults, bookingSchema } from './booking.ts';
import { contactQuestionsDefaults, contactQuestionsSchema } from './contact-questions.ts';
import { deliverabilityDefaults, deliverabilitySchema } from './deliverability.ts';
import { domainCheckDefaults, domainCheckSchema } from './domain-check.ts';
import { featureTilesDefaults, featureTilesSchema } from './feature-tiles.ts';
import { footerDefaults, footerSchema } from './footer.ts';
import { handoverDefaults, handoverSchema } from './handover.ts';
import { headerDefaults, headerSchema } from './headers.ts';
import { headingsDefaults, headingsSchema } from './headings.ts';
import { heroDefaults, heroSchema } from './hero.ts';
import { homeOrderDefaults, homeOrderSchema } from './home-order.ts';
import { legalDefaults, legalSchema } from './legal.ts';
import { logoBannerDefaults, logoBannerSchema } from './logo-banner.ts';
import { sequenceDefaults, sequenceSchema } from './sequence.ts';
import { storyDefaults, storySchema } from './story.ts';
import { testimonialsDefaults, testimonialsSchema } from './testimonials.ts';
import { uspsDefaults, uspsSchema } from './usps.ts';

function section<Schema extends z.ZodObject>(schema: Schema, defaults: z.infer<Schema>) {
  return { schema, defaults };
}

/** Pages in headerDefaults get a header section automatically. */
const headers = recordOf(keysOf(headerDefaults), (page) => ({ header: section(headerSchema, headerDefaults[page]) }));

export const sections = {
  ...headers,
  home: {
    hero: section(heroSchema, heroDefaults),
    'logo-banner': section(logoBannerSchema, logoBannerDefaults),
    usps: section(uspsSchema, uspsDefaults),
    testimonials: section(testimonialsSchema, testimonialsDefaults),
    sequence: section(sequenceSchema, sequenceDefaults),
    deliverability: section(deliverabilitySchema, deliverabilityDefaults),
    handover: section(handoverSchema, handoverDefaults),
    booking: section(bookingSchema, bookingDefaults),
    footer: section(footerSchema, footerDefaults),
    features: section(featureTilesSchema, featureTilesDefaults),
    headings: section(headingsSchema, headingsDefaults),
    order: section(homeOrderSchema, homeOrderDefaults),
  },
  about: {
    ...headers.about,
    team: section(aboutTeamSchema, aboutTeamDefaults),
    careers: section(aboutCareersSchema, aboutCareersDefaults),
    story: section(storySchema, storyDefaults),
  },
  services: { ...headers.services, 'domain-check': section(domainCheckSchema, domainCheckDefaults) },
  contact: { ...headers.contact, questions: section(contactQuestionsSchema, contactQuestionsDefaults) },
  privacy: { header: section(legalSchema, legalDefaults.privacy) },
  terms: { header: section(legalSchema, legalDefaults.terms) },
  cookies: { header: section(legalSchema, legalDefaults.cookies) },
};

/** Untyped section, for code that handles all sections. */
export interface Section<Schema extends z.ZodObject = z.ZodObject> {
  schema: Schema;
  defaults: z.infer<Schema>;
}

export function getSection(page: PageSlug, name: string): Section {
  const pageSections: Partial<Record<string, Section>> = sections[page];
  const match = pageSections[name];
  if (!match) throw new Error(`Unknown section ${page}/${name}.`);
  return match;
}

export type PageSlug = keyof typeof sections;
export type SectionName<Page extends PageSlug> = keyof (typeof sections)[Page] & string;
export type SectionContent<
  Page extends PageSlug,
  Name extends SectionName<Page>,
> = (typeof sections)[Page][Name] extends {
  defaults: infer Content;
}
  ? Content
  : never;

/** A hidden section is sent without its content, to keep the page small. */
type Shown<Content> = Content extends { isShown: boolean } ? Content | { isShown: false } : Content;

/** Content of a page's sections, and the names of the sections with saved content. */
export type PageContent<Page extends PageSlug> = {
  sections: { [Name in Exclude<SectionName<Page>, 'footer'>]: Shown<SectionContent<Page, Name>> };
  saved: string[];
};
