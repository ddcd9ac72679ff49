/**
 * Events of Instantly (developer.instantly.ai/guides/webhook-events). The events are flat objects without an id. The
 * secret is sent in a header that the account owner chooses.
 */
import type { EventMetric } from '../metrics.ts';
import { type CampaignEvent, metricsByType, stepAt, textAt, timeAt } from './campaign-event.ts';

const METRICS = metricsByType({
  sent: ['email_sent'],
  delivered: [],
  bounced: ['email_bounced'],
  replies: ['reply_received'],
  positive_replies: ['lead_interested'],
  meetings: ['lead_meeting_booked'],
});

const UNCOUNTED_TYPES = new Set([
  ...['email_opened', 'link_clicked', 'email_link_clicked', 'lead_unsubscribed', 'account_error', 'campaign_completed'],
  ...['auto_reply_received', 'lead_out_of_office', 'lead_neutral', 'lead_not_interested', 'lead_wrong_person'],
  ...['lead_meeting_completed', 'lead_closed', 'lead_no_show'],
]);

export function readInstantlyEvent(raw: unknown): CampaignEvent {
  const kind = textAt(raw, 'event_type', 'event');
  const metric = METRICS.get(kind.toLowerCase()) ?? null;
  const recipient = textAt(raw, 'lead_email', 'lead.email', 'email');
  return {
    kind,
    metric,
    isKnown: metric !== null || UNCOUNTED_TYPES.has(kind.toLowerCase()),
    id: idOf(raw, metric, recipient),
    at: timeAt(raw, 'timestamp', 'timestamp_created'),
    campaign: textAt(raw, 'campaign_id', 'campaign'),
    step: stepAt(raw, 'step'),
    recipient,
    subject: textAt(raw, 'email_subject'),
    text: textAt(raw, 'email_html', 'email_text'),
  };
}

/** `email_id` identifies the message. A reply has the `email_id` of the message that it answers. */
function idOf(raw: unknown, metric: EventMetric | null, recipient: string): string {
  if (metric === 'positive_replies' || metric === 'meetings') return recipient.toLowerCase();
  return metric === 'sent' ? textAt(raw, 'email_id') : '';
}
