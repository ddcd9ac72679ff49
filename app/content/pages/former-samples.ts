/** Samples of earlier releases. Saved copies still count as samples. */
import type { Testimonial } from './testimonials.ts';
import type { Usps } from './usps.ts';

export const FORMER_TESTIMONIALS: Pick<Testimonial, 'by' | 'testimonial'>[] = [
  {
    by: 'Ingrid Solheim, Commercial Director at Havline',
    testimonial: 'They asked us to read our own e-mails aloud. We rewrote everything that afternoon.',
  },
  {
    by: 'Amalie Thorsen, Head of Growth at Nordvik',
    testimonial: 'The list got smaller every week and the calendar got fuller. I did not expect both.',
  },
  {
    by: 'Lars Egeland, CTO at Isfront',
    testimonial: 'Clean DNS, clean handover, documentation I could give to a new colleague.',
  },
  {
    by: 'Sofie Halvorsen, Marketing Manager at Solstrand',
    testimonial: 'The assistant says “I do not know” more gracefully than most of us do.',
  },
  {
    by: 'Emil Strand, VP Sales at Brattli',
    testimonial:
      'They stopped a campaign that looked good on paper because the replies felt wrong. That is when I trusted them.',
  },
  {
    by: 'Nora Berg, Revenue Operations at Tindra',
    testimonial: 'Every number in the weekly report can be clicked down to the e-mail behind it.',
  },
];

export const FORMER_QUOTE: Usps['card1'] = {
  heading: 'What it is like',
  quote: 'For the first time our outbound reads like us. People answer to argue with the idea, not to unsubscribe.',
  clientName: 'Ingrid Solheim',
  clientTitle: 'Commercial Director',
  clientCompany: 'Havline',
};
