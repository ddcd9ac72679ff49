/**
 * Events of lemlist, as developer.lemlist.com describes the types of its webhooks and its activities (_id, type, leadId,
 * campaignId, createdAt). The body of a webhook is documented nowhere: the other names here are those that users met.
 */
import { type CampaignEvent, type EventMetric, textAt, timeAt } from './campaign-event.ts';

const METRICS: Record<string, EventMetric> = {
  emailssent: 'sent',
  linkedinsent: 'sent',
  linkedininvitedone: 'sent',
  whatsappmessagesent: 'sent',
  smssent: 'sent',
  emailsreplied: 'replies',
  linkedinreplied: 'replies',
  whatsappreplied: 'replies',
  smsreplied: 'replies',
  emailsbounced: 'bounced',
  emailsinterested: 'positive_replies',
  linkedininterested: 'positive_replies',
  aircallinterested: 'positive_replies',
  manualinterested: 'positive_replies',
  // The group of them all.
  interested: 'positive_replies',
};

/** Beginnings of lemlist's types that are counted nowhere: states, openings, clicks, visits, failures, its own affairs. */
const NOTED =
  /^(?:contacted|hooked|attracted|warmed|notinterested|skipped|paused|resumed|emails|linkedin|whatsapp|sms|aircall|api|manual|opportunities|customdomain|connection|sendlimit|lemwarm|call|inbox)/;

export function readLemlistEvent(raw: unknown): CampaignEvent {
  const kind = textAt(raw, 'type', 'event');
  // An activity is called emailSent in some places and emailsSent in others.
  const name = kind.toLowerCase().replace(/^email(?!s)/, 'emails');
  const metric = METRICS[name] ?? null;
  const recipient = textAt(raw, 'leadEmail', 'lead.email', 'email', 'contact.email');
  return {
    kind,
    metric,
    isKnown: metric !== null || NOTED.test(name),
    id:
      metric === 'positive_replies' && recipient !== ''
        ? recipient.toLowerCase()
        : textAt(raw, '_id', 'activityId', 'id'),
    at: timeAt(raw, 'createdAt', 'date', 'timestamp'),
    campaign: textAt(raw, 'campaignId', 'campaign._id', 'campaign.id'),
    // Nobody says whether its sequenceStep begins at 0 or at 1.
    step: null,
    recipient,
    subject: textAt(raw, 'subject', 'emailSubject'),
    text: textAt(raw, 'html', 'text', 'message', 'emailBody'),
  };
}
