import { z } from 'zod';

export const handoverSchema = z.object({
  isShown: z.boolean(),
  /** Label for invented content. Empty if the content is real. */
  mark: z.string(),
  eyebrow: z.string(),
  heading: z.string(),
  description: z.string(),
  items: z.array(z.object({ name: z.string(), detail: z.string() })),
});

export type Handover = z.infer<typeof handoverSchema>;

export const handoverDefaults: Handover = {
  isShown: true,
  mark: 'Sample of a hand-over list',
  eyebrow: 'Hand-over',
  heading: 'What you own after the hand-over',
  description: 'The list that both sides sign. Nothing on it needs us to keep running.',
  items: [
    {
      name: 'Domains and mailboxes',
      detail: 'In your registrar and your workspace, with SPF, DKIM and DMARC in order.',
    },
    { name: 'Every text', detail: 'All versions that were sent, with who approved them and what they brought.' },
    { name: 'Every list', detail: 'With the source of each row, and everybody who asked to be left alone.' },
    {
      name: 'The assistant’s knowledge',
      detail: 'What it may say, where each answer comes from, what it must pass on.',
    },
    { name: 'The runbook', detail: 'Twelve pages: what runs when, what can fail, whom it tells, how to put it right.' },
    {
      name: 'The off switch',
      detail: 'One page and one button. Pressed together with us on the day of the hand-over.',
    },
  ],
};
