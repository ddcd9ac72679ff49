/** Writes a report as sentences: all that a language model is told of it, and all that its summary may say. */
import { z } from 'zod';
import { figuresSchema } from './figures-schema.ts';

/** Answer of client_report(), as far as a summary needs it. */
export const reportSchema = z.object({
  client: z.string(),
  span: z.enum(['week', 'month']),
  first_day: z.string(),
  last_day: z.string(),
  may_change: z.boolean(),
  figures: figuresSchema,
});

export type ReadReport = z.output<typeof reportSchema>;

const COUNTED: Record<string, string> = {
  sent: 'messages sent',
  delivered: 'messages delivered',
  bounced: 'messages bounced',
  replies: 'replies',
  positive_replies: 'positive replies',
  meetings: 'meetings',
};

/** Writes a report as titled texts. Each figure stands beside what it counts, so that no other thing can have it. */
export function wordsOfReport({ client, span, first_day, last_day, figures }: ReadReport) {
  const lines = [
    ...figures.result.flatMap(({ metric, value, before }) => [
      value === null ? `No figure of ${counted(metric)} this ${span}.` : `${shown(value, metric)} this ${span}.`,
      before === null ? '' : `${shown(before, metric)} the ${span} before.`,
      value === null || before === null ? '' : `${counted(metric)} from ${grouped(before)} to ${grouped(value)}.`,
    ]),
    ...figures.goals.flatMap((goal) => [
      `${shown(goal.value, goal.metric)} of a goal of ${shown(goal.goal, goal.metric)} for the month.`,
      `${percent(goal)}% of the goal of ${counted(goal.metric)}.`,
    ]),
    ...meetingLines(figures.meetings),
    ...figures.changes.map(({ kind, name, detail }) => `Changed: ${name}, ${kind} ${detail}.`),
    ...figures.next.map(
      ({ campaign, step, due_on }) => `Next for ${campaign}: ${step}, due ${due_on ?? 'at no date'}.`,
    ),
    ...figures.wishes.map(({ kind, name, due_on }) => `We need from the client: ${kind} ${name}, ${due_on ?? ''}.`),
  ];
  return [
    { title: client, text: [`Report of ${client}, ${first_day} to ${last_day}.`, ...lines].filter(Boolean).join('\n') },
    ...figures.campaigns.map(({ name, channel, figures: own }) => ({
      title: name,
      text: [
        `Campaign ${name} (${channel}) this ${span}.`,
        ...Object.entries(own).map(([metric, value]) => `${name}: ${shown(value, metric)}.`),
      ].join('\n'),
    })),
  ];
}

function counted(metric: string): string {
  return COUNTED[metric] ?? metric;
}

function shown(value: number, metric: string): string {
  return `${grouped(value)} ${counted(metric)}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

/** As the sheet shows it. */
function percent({ value, goal }: { value: number; goal: number }): number {
  return Math.floor((value / goal) * 100);
}

function meetingLines({ held, no_show, booked, disputed }: ReadReport['figures']['meetings']): string[] {
  return [
    held > 0 && `${held} meetings held.`,
    no_show > 0 && `${no_show} meetings to which nobody came.`,
    booked > 0 && `${booked} meetings booked.`,
    disputed > 0 && `${disputed} meetings disputed.`,
  ].filter((line) => line !== false);
}
