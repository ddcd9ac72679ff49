/** Finds sent messages that differ from every text that the client approved for the campaign. */
import type { CampaignEvent } from './campaign-event.ts';
import { sliceCharacters } from './characters.ts';
import { hashOf } from './hash-of.ts';
import { type Deviation, deviationFrom } from './same-text.ts';

/** A text of the campaign in its last approved version. Number and text are null before the first approval. */
export interface CampaignText {
  title: string;
  /** Null for any step. */
  step: number | null;
  number: number | null;
  text: string | null;
}

/** An alarm about a message. Alarms with the same kind and subject are merged. */
export interface MessageAlarm {
  kind: 'not_approved' | 'incomplete';
  subject: string;
  text: string;
}

/** Returns null if the event has no message, if an approved text matches, or if the campaign has no texts. */
export async function findDeviation(
  event: CampaignEvent,
  texts: readonly CampaignText[],
): Promise<MessageAlarm | null> {
  if (event.metric !== 'sent' || texts.length === 0) return null;
  const { step } = event;
  const message = step === null ? 'A message' : `Step ${step}`;
  const candidates = texts.filter((text) => step === null || text.step === null || text.step === step);
  if (candidates.length === 0)
    return {
      kind: 'not_approved',
      subject: `step ${step}`,
      text: `${message} was sent, but no text has been assigned to it.`,
    };
  const approved = candidates.filter(({ text }) => text !== null);
  if (approved.length === 0) {
    const title = candidates[0]?.title ?? '';
    return {
      kind: 'not_approved',
      subject: `early ${step}`,
      text: `${message} was sent before the client approved “${title}”.`,
    };
  }
  if (event.text === '') return null;
  const deviation = deviationFrom(
    approved.map(({ text }) => text ?? ''),
    event.text,
  );
  const nearest = deviation && approved[deviation.from];
  return nearest ? alarmOf(message, nearest, deviation) : null;
}

async function alarmOf(message: string, { title, number }: CampaignText, deviation: Deviation): Promise<MessageAlarm> {
  const problem =
    deviation.sent === '' ? 'but ended too early.' : `with words that were not approved: “${deviation.sent}”`;
  const instead = deviation.approved === '' ? 'ends before them.' : `has: “${deviation.approved}”`;
  return {
    kind: 'not_approved',
    subject: `${sliceCharacters(title, 0, 100)} ${number} ${(await hashOf(deviation.sent + deviation.approved)).slice(0, 16)}`,
    text: `${message} was sent ${problem} Version ${number} of “${title}” ${instead}`,
  };
}
