/** Finds what went out and is none of the texts that the client approved for the campaign. */
import type { CampaignEvent } from './campaign-event.ts';
import { hashOf } from './hash-of.ts';
import { type Deviation, deviationFrom } from './same-text.ts';

/** A text that the campaign sends, as the client last said yes to it; without number and text before the first yes. */
export interface CampaignText {
  title: string;
  /** Null for any step. */
  step: number | null;
  number: number | null;
  text: string | null;
}

/** An alarm: those of the same subject are one. */
export interface DeviationAlarm {
  subject: string;
  text: string;
}

/** Returns null for what is no message, for one that is an approved text, and for a campaign that names no texts. */
export async function findDeviation(
  event: CampaignEvent,
  texts: readonly CampaignText[],
): Promise<DeviationAlarm | null> {
  if (event.metric !== 'sent' || texts.length === 0) return null;
  const { step } = event;
  const what = step === null ? 'A message' : `Step ${step}`;
  const own = texts.filter((text) => step === null || text.step === null || text.step === step);
  if (own.length === 0) return { subject: `step ${step}`, text: `${what} went out, and no text is named for it.` };
  const approved = own.filter(({ text }) => text !== null);
  if (approved.length === 0) {
    return { subject: `early ${step}`, text: `${what} went out before the client said yes to “${own[0]?.title}”.` };
  }
  if (event.text === '') return null;
  let nearest: { of: CampaignText; deviation: Deviation } | undefined;
  for (const text of approved) {
    const deviation = deviationFrom(text.text ?? '', event.text);
    if (deviation === null) return null;
    if (!nearest || deviation.same > nearest.deviation.same) nearest = { of: text, deviation };
  }
  return nearest ? alarmOf(what, nearest.of, nearest.deviation) : null;
}

async function alarmOf(what: string, { title, number }: CampaignText, deviation: Deviation): Promise<DeviationAlarm> {
  const said = deviation.sent === '' ? 'and ended too early.' : `with words that nobody approved: “${deviation.sent}”`;
  const instead = deviation.approved === '' ? 'ends before that.' : `says there: “${deviation.approved}”`;
  return {
    subject: `${title.slice(0, 100)} ${number} ${(await hashOf(deviation.sent + deviation.approved)).slice(0, 16)}`,
    text: `${what} went out ${said} Version ${number} of “${title}” ${instead}`,
  };
}
