import { z } from 'zod';

const testimonialSchema = z.object({
  tempId: z.number(),
  testimonial: z.string(),
  by: z.string(),
  /** URL of the picture. If empty, a portrait is generated from the name. */
  imgSrc: z.string(),
});

export const testimonialsSchema = z.object({
  eyebrow: z.string(),
  heading: z.string(),
  description: z.string(),
  testimonials: z.array(testimonialSchema),
});

export type Testimonial = z.infer<typeof testimonialSchema>;
export type Testimonials = z.infer<typeof testimonialsSchema>;

const DEFAULT_VOICES: [by: string, testimonial: string][] = [
  [
    'Marit Fossum, Sales Director at Skarv Maritime',
    'They asked us to read our own emails aloud. We rewrote everything that afternoon.',
  ],
  [
    'Jonas Brekke, CEO at Fjellhus',
    'Eleven meetings in the first month, and I would have taken nine of them from a friend’s introduction.',
  ],
  [
    'Henning Dale, Head of Growth at Fjordglass',
    'Last spring I had four thousand names. Now I get thirty a week, and I know them all.',
  ],
  ['Oskar Nyberg, Sales Lead at Lyngen', 'I open the CRM at eight and know whom to call, and why today.'],
  ['Karoline Moe, Founder at Kvist & Co', 'We sell to people who hate being sold to. None of them has complained yet.'],
  [
    'Lars Egeland, CTO at Tverrdal',
    'I asked for the keys, the map and the off switch. All three were in the first folder.',
  ],
  [
    'Sigrid Myhre, Marketing Manager at Fjellstova',
    'The assistant says “I do not know” more gracefully than most of us do.',
  ],
  [
    'Even Rognli, VP Sales at Tverrfjell Maskin',
    'They stopped a campaign that looked good on paper because the replies felt wrong. I have not argued since.',
  ],
  ['Thea Wiik, Operations at Havline', 'What used to be a Monday of copying rows is now a notification.'],
  [
    'Magnus Rød, Partner at Aker & Lund',
    'Four sentences, no adjectives, and a managing director answered within the hour.',
  ],
  [
    'Nora Berg, Revenue Operations at Tindra',
    'Every number in the weekly report can be clicked down to the email behind it.',
  ],
  [
    'Fredrik Holm, Country Manager at Vesta Nordic',
    'We entered Sweden with three people and a system. It felt like eight people.',
  ],
  [
    'Julie Aasen, Customer Lead at Bris Studio',
    'Half of our support questions are answered before anyone from the team is awake.',
  ],
  ['Petter Vik, Founder at Rorbu Labs', 'They said no to our first brief and were right about it.'],
  ['Hanna Lie, Head of Sales at Nattlys', 'Our domain reputation went from red to green and stayed there.'],
  [
    'Sander Krogh, Managing Director at Elv Energi',
    'I have seen many dashboards. This is the first one with a decision at the end of each page.',
  ],
  ['Mathilde Foss, Business Development at Granitt', 'Buyers quote our own first line back to us. In a good way.'],
  [
    'Aksel Hauge, COO at Nordlei Freight',
    'When someone answers, the machine steps aside at once. That was our one condition.',
  ],
  ['Selma Ruud, Brand Director at Mose', 'I came to protect the tone of voice and stayed for the pipeline.'],
  ['Viktor Sand, CEO at Peildata', 'Handed over in week nine as agreed. We have run it ourselves ever since.'],
];

export const testimonialsDefaults: Testimonials = {
  eyebrow: 'Testimonials',
  heading: 'What clients say',
  description: 'Twenty short answers to one question: what changed?',
  testimonials: DEFAULT_VOICES.map(([by, testimonial], index) => ({ tempId: index, testimonial, by, imgSrc: '' })),
};
