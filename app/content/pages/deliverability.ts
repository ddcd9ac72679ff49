import { z } from 'zod';

const count = z.string().regex(/^\d{1,9}$/, 'Enter a whole number.');

export const deliverabilitySchema = z.object({
  isShown: z.boolean(),
  /** Label for invented content. Empty if the content is real. */
  mark: z.string(),
  eyebrow: z.string(),
  heading: z.string(),
  description: z.string(),
  /** Absolute numbers, so that readers can check the share. */
  weeks: z.array(z.object({ name: z.string(), sent: count, inbox: count })),
});

export type Deliverability = z.infer<typeof deliverabilitySchema>;

const DEFAULT_WEEKS: [sent: number, inbox: number][] = [
  [60, 41],
  [120, 97],
  [240, 213],
  [400, 372],
  [600, 573],
  [800, 771],
  [800, 779],
  [800, 784],
];

export const deliverabilityDefaults: Deliverability = {
  isShown: true,
  mark: 'Sample, for an invented domain',
  eyebrow: 'Deliverability',
  heading: 'Where the mail arrives',
  description:
    'Eight weeks of a new sending domain. Volume grows only when the week before it reached the inbox, read from test mailboxes.',
  weeks: DEFAULT_WEEKS.map(([sent, inbox], index) => ({
    name: `Week ${index + 1}`,
    sent: String(sent),
    inbox: String(inbox),
  })),
};
