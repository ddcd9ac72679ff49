import { z } from 'zod';

export const sequenceSchema = z.object({
  isShown: z.boolean(),
  /** Label for invented content. Empty if the content is real. */
  mark: z.string(),
  eyebrow: z.string(),
  heading: z.string(),
  description: z.string(),
  mails: z.array(z.object({ day: z.string(), subject: z.string(), text: z.string(), reason: z.string() })),
});

export type Sequence = z.infer<typeof sequenceSchema>;

export const sequenceDefaults: Sequence = {
  isShown: true,
  mark: 'Sample, for an invented company',
  eyebrow: 'Email sequence',
  heading: 'A sequence, and why each mail is sent',
  description: 'Four mails to one person over nineteen days, each with the condition for sending it.',
  mails: [
    {
      day: 'Day 1',
      subject: 'Your second warehouse in Moss',
      text: 'Hi Ingrid, you opened in Moss in September and are looking for two planners. Teams of your size usually lose a day a week to routing replies in that phase. We built the part that stops this for a carrier in Larvik. Is it worth twenty minutes, or is it solved?',
      reason: 'Three signals agree: the permit, the job advertisement, and no planner hired after six weeks.',
    },
    {
      day: 'Day 5',
      subject: 'How Larvik sorts 300 replies a day',
      text: 'Hi Ingrid, one page on how the carrier in Larvik does it, with what did not work at first. No form, no login. The second paragraph is the one that planners argue about.',
      reason: 'No answer came, and no refusal. The second mail gives something and asks for nothing.',
    },
    {
      day: 'Day 11',
      subject: 'Is this with somebody else?',
      text: 'Hi Ingrid, if routing is with your operations lead, a name is enough and I will write to them instead of you.',
      reason: 'Two mails without an answer more often mean the wrong person than the wrong subject.',
    },
    {
      day: 'Day 19',
      subject: 'I will leave it here',
      text: 'Hi Ingrid, this is the last one from me. If Moss gets busier than planned, my number is below. I will not write again unless you do.',
      reason: 'Four is the limit. After it the address rests for a year, and an answer at any point ends the sequence.',
    },
  ],
};
