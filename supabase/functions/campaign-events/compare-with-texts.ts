/** Finds the approved text that a message consists of, and messages that differ from every approved text. */
import type { CampaignEvent } from './campaign-event.ts';
import { sliceCharacters } from './characters.ts';
import { hashOf } from './hash-of.ts';
import { type Deviation, findNearest } from './same-text.ts';

/** A version of a text and the time in which the campaign could send it. Number and text are null before the first approval. */
export interface CampaignText {
  /** Id of the approval. */
  id: string;
  title: string;
  /** Null for any step. */
  step: number | null;
  number: number | null;
  text: string | null;
  starts_at: string;
  /** Null for a text in use. */
  ends_at: string | null;
}

/** An alarm about a message. Alarms with the same kind and subject are merged. */
export interface MessageAlarm {
  kind: 'not_approved' | 'incomplete';
  subject: string;
  text: string;
}

/** Result of the comparison of an event with the approved texts. */
export interface Comparison {
  /** The approved text that was sent. Null if no text matches, or if more than one could. */
  text: ApprovedText | null;
  /** Null if an approved text matches, if the event has no message, or if the campaign had no texts at that time. */
  deviation: MessageAlarm | null;
}

interface ApprovedText extends CampaignText {
  number: number;
  text: string;
}

/**
 * Compares a sent message with the texts that its campaign could send at that time, because events can arrive late. A
 * message without a text is assumed to be that of its step.
 */
export async function compareWithTexts(event: CampaignEvent, allTexts: readonly CampaignText[]): Promise<Comparison> {
  const sentAt = event.at === null ? Date.now() : Date.parse(event.at);
  const texts = allTexts.filter(
    ({ starts_at, ends_at }) => Date.parse(starts_at) <= sentAt && (ends_at === null || sentAt < Date.parse(ends_at)),
  );
  if (event.metric !== 'sent' || texts.length === 0) return { text: null, deviation: null };
  const { step } = event;
  const message = step === null ? 'A message' : `Step ${step}`;
  const candidates = texts.filter((text) => step === null || text.step === null || text.step === step);
  if (candidates.length === 0) {
    const text = `${message} was sent, but no text has been assigned to it.`;
    return { text: null, deviation: { kind: 'not_approved', subject: `step ${step}`, text } };
  }
  const approved = candidates.filter(isApproved);
  if (approved.length === 0) {
    const text = `${message} was sent before the client approved “${candidates[0]?.title ?? ''}”.`;
    return { text: null, deviation: { kind: 'not_approved', subject: `early ${step}`, text } };
  }
  if (event.text === '') return { text: (approved.length === 1 && approved[0]) || null, deviation: null };
  const { index, deviation } = findNearest(
    approved.map(({ text }) => text),
    event.text,
  );
  const nearest = approved[index];
  if (!nearest) return { text: null, deviation: null };
  return deviation === null
    ? { text: nearest, deviation: null }
    : { text: null, deviation: await alarmOf(message, nearest, deviation) };
}

function isApproved(text: CampaignText): text is ApprovedText {
  return text.number !== null && text.text !== null;
}

async function alarmOf(message: string, { title, number }: ApprovedText, deviation: Deviation): Promise<MessageAlarm> {
  const problem =
    deviation.sent === '' ? 'but ended too early.' : `with words that were not approved: “${deviation.sent}”`;
  const instead = deviation.approved === '' ? 'ends before them.' : `has: “${deviation.approved}”`;
  return {
    kind: 'not_approved',
    subject: `${sliceCharacters(title, 0, 100)} ${number} ${(await hashOf(deviation.sent + deviation.approved)).slice(0, 16)}`,
    text: `${message} was sent ${problem} Version ${number} of “${title}” ${instead}`,
  };
}
