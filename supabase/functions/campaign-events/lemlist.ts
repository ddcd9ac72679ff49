/**
 * Events of lemlist. developer.lemlist.com documents the types of its webhooks and the fields of its activities (_id,
 * type, leadId, campaignId, createdAt). Webhook bodies are not documented, so the other names come from user reports.
 */
import { type CampaignEvent, metricsByType, textAt, timeAt } from './campaign-event.ts';

const METRICS = metricsByType({
  sent: ['emailssent', 'linkedinsent', 'linkedininvitedone', 'whatsappmessagesent', 'smssent'],
  delivered: [],
  bounced: ['emailsbounced'],
  replies: ['emailsreplied', 'linkedinreplied', 'whatsappreplied', 'smsreplied'],
  // lemlist sends `interested` for all channels.
  positive_replies: ['emailsinterested', 'linkedininterested', 'aircallinterested', 'manualinterested', 'interested'],
  meetings: [],
});

/** Prefixes of lemlist's types that no metric counts: states, opens, clicks, visits, failures and internal events. */
const UNCOUNTED_PREFIXES =
  /^(?:contacted|hooked|attracted|warmed|notinterested|skipped|paused|resumed|emails|linkedin|whatsapp|sms|aircall|api|manual|opportunities|customdomain|connection|sendlimit|lemwarm|call|inbox)/;

export function readLemlistEvent(raw: unknown): CampaignEvent {
  const kind = textAt(raw, 'type', 'event');
  // The documentation uses both emailSent and emailsSent.
  const name = kind.toLowerCase().replace(/^email(?!s)/, 'emails');
  const metric = METRICS.get(name) ?? null;
  const recipient = textAt(raw, 'leadEmail', 'lead.email', 'email', 'contact.email');
  return {
    kind,
    metric,
    isKnown: metric !== null || UNCOUNTED_PREFIXES.test(name),
    id:
      metric === 'positive_replies' && recipient !== ''
        ? recipient.toLowerCase()
        : textAt(raw, '_id', 'activityId', 'id'),
    at: timeAt(raw, 'createdAt', 'date', 'timestamp'),
    campaign: textAt(raw, 'campaignId', 'campaign._id', 'campaign.id'),
    // It is undocumented whether sequenceStep starts at 0 or 1.
    step: null,
    recipient,
    subject: textAt(raw, 'subject', 'emailSubject'),
    text: textAt(raw, 'html', 'text', 'message', 'emailBody'),
  };
}
