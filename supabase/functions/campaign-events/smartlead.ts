/**
 * Events of Smartlead in both documented formats: help.smartlead.ai/Webhook-Guide-Updated (flat, event_type,
 * event_timestamp, sent_message) and api.smartlead.ai/core/webhooks (event, timestamp, lead.email). "Sent" is reported
 * after the handover to the mail server. There is no event for delivery.
 */
import type { EventMetric } from '../metrics.ts';
import { type CampaignEvent, metricsByType, stepAt, textAt, timeAt } from './campaign-event.ts';

const METRICS = metricsByType({
  // FIRST_EMAIL_SENT covers only the first step, for webhooks without EMAIL_SENT.
  sent: ['EMAIL_SENT', 'FIRST_EMAIL_SENT'],
  delivered: [],
  bounced: ['EMAIL_BOUNCE', 'EMAIL_BOUNCED'],
  replies: ['EMAIL_REPLY', 'EMAIL_REPLIED'],
  // LEAD_CATEGORY_UPDATED reports these two.
  positive_replies: [],
  meetings: [],
});

const OTHER_KNOWN_TYPES = new Set([
  ...['EMAIL_OPEN', 'EMAIL_OPENED', 'EMAIL_LINK_CLICK', 'EMAIL_CLICKED', 'LEAD_UNSUBSCRIBED', 'EMAIL_UNSUBSCRIBED'],
  ...[
    'CAMPAIGN_STATUS_CHANGED',
    'CAMPAIGN_STATUS_CHANGE',
    'MANUAL_STEP_REACHED',
    'UNTRACKED_REPLIES',
    'LEAD_CATEGORY_UPDATED',
  ],
]);

/** Built-in lead categories of Smartlead. */
const CATEGORIES = metricsByType({
  sent: [],
  delivered: [],
  bounced: [],
  replies: [],
  positive_replies: ['interested', 'meeting request', 'information request'],
  meetings: ['meeting booked'],
});

export function readSmartleadEvent(raw: unknown): CampaignEvent {
  const kind = textAt(raw, 'event_type', 'event', 'type');
  const name = kind.toUpperCase();
  const recipient = textAt(
    raw,
    'sl_lead_email',
    'to_email',
    'lead.email',
    'lead_email',
    'lead_data.email',
    'to',
    'email',
  );
  const category = textAt(
    raw,
    'lead_category.new_name',
    'lead_category.name',
    'category',
    'new_category',
  ).toLowerCase();
  const categoryMetric = name === 'LEAD_CATEGORY_UPDATED' ? CATEGORIES.get(category) : undefined;
  const metric = METRICS.get(name) ?? categoryMetric ?? null;
  return {
    kind,
    metric,
    isKnown: metric !== null || OTHER_KNOWN_TYPES.has(name),
    // Counted once per person and metric, even if the category changes again.
    id: categoryMetric ? recipient.toLowerCase() : messageIdOf(raw, metric),
    at: timeAt(
      raw,
      ...['event_timestamp', 'timestamp', 'time_sent', 'time_replied', 'time_bounced', 'time_opened', 'time_clicked'],
      ...['sent_message.time', 'reply_message.time', 'created_at'],
    ),
    campaign: textAt(raw, 'campaign_id'),
    step: stepAt(raw, 'sequence_number', 'current_sequence_number'),
    recipient,
    subject: textAt(raw, 'subject', 'custom_subject', 'email.subject'),
    text: textAt(
      raw,
      ...[
        'sent_message.html',
        'sent_message.text',
        'sent_message_body',
        'custom_email_message',
        'email.body',
        'email.html',
      ],
    ),
  };
}

function messageIdOf(raw: unknown, metric: EventMetric | null): string {
  if (metric === 'sent') return textAt(raw, 'sent_message.message_id', 'message_id', 'email.message_id');
  if (metric === 'replies') return textAt(raw, 'reply_message.message_id', 'message_id', 'reply.message_id');
  if (metric === 'bounced') return textAt(raw, 'bounce_message.message_id', 'bounce_reply_message_id');
  return '';
}
