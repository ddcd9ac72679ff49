import { z } from 'zod';

const memberSchema = z.object({
  quote: z.string(),
  name: z.string(),
  designation: z.string(),
  /** URL of the picture. If empty, a portrait is generated from the name. */
  src: z.string(),
});

export const aboutTeamSchema = z.object({ eyebrow: z.string(), heading: z.string(), members: z.array(memberSchema) });

export type AboutTeamMember = z.infer<typeof memberSchema>;
export type AboutTeam = z.infer<typeof aboutTeamSchema>;

export const aboutTeamDefaults: AboutTeam = {
  eyebrow: 'People',
  heading: 'Meet the Team',
  members: [
    {
      quote:
        'I ran a sales floor for nine years. Every system we build starts with what a seller does at ten past eight.',
      name: 'Sunniva Dahl',
      designation: 'Founder, strategy',
      src: '',
    },
    {
      quote: 'Deliverability is plumbing. Nobody praises it, and nothing else matters until it holds.',
      name: 'Henrik Aune',
      designation: 'Infrastructure',
      src: '',
    },
    {
      quote: 'If a sentence would embarrass you in a meeting, a model should not send it for you either.',
      name: 'Maja Lindqvist',
      designation: 'Copy and conversation design',
      src: '',
    },
    {
      quote: 'A list is a hypothesis about who needs you. I test it like one.',
      name: 'Tobias Renner',
      designation: 'Data and signals',
      src: '',
    },
  ],
};
