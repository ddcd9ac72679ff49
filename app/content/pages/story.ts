import { z } from 'zod';

const chapterSchema = z.object({ year: z.string(), title: z.string(), text: z.string() });

export const storySchema = z.object({ heading: z.string(), chapters: z.array(chapterSchema) });

export type Story = z.infer<typeof storySchema>;

export const storyDefaults: Story = {
  heading: 'Our story',
  chapters: [
    {
      year: '2021',
      title: 'We read a year of messages',
      text: 'It began with reading. A client asked why nobody answered, so we read every message they had sent in a year, aloud, in one room. By lunch the problem was obvious, and it was not the subject lines.',
    },
    {
      year: '2022',
      title: 'Deliverability first',
      text: 'Half of the messages never arrived. We learned domains, keys and reputation the slow way, wrote down what worked, and have made it the first week of every project since.',
    },
    {
      year: '2023',
      title: 'Automation that stops when people answer',
      text: 'Models made drafting cheap, and everybody sent more. We sent less: machines to find the moment and prepare the words, people to decide. When someone answers, the machine stops.',
    },
    {
      year: 'Now',
      title: 'Built to be handed over',
      text: 'Every system runs in accounts that the client owns, with three documents and a rehearsal. Being easy to leave has turned out to be a good reason to stay.',
    },
  ],
};
