/**
 * Events of Smartlead, as help.smartlead.ai/Webhook-Guide-Updated describes them (flat, event_type, event_timestamp,
 * sent_message) and as api.smartlead.ai/core/webhooks does (event, timestamp, lead.email). "Sent" is told after the mail was
 * handed over, and nothing tells of a delivery.
 */
import { type CampaignEvent, type EventMetric, stepAt, textAt, timeAt } from './campaign-event.ts';

const METRICS: Record<string, EventMetric> = {
  EMAIL_SENT: 'sent',
  // The first step only, for those who asked for no other.
  FIRST_EMAIL_SENT: 'sent',
  EMAIL_REPLY: 'replies',
  EMAIL_REPLIED: 'replies',
  EMAIL_BOUNCE: 'bounced',
  EMAIL_BOUNCED: 'bounced',
};

const NOTED = new Set([
  ...['EMAIL_OPEN', 'EMAIL_OPENED', 'EMAIL_LINK_CLICK', 'EMAIL_CLICKED', 'LEAD_UNSUBSCRIBED', 'EMAIL_UNSUBSCRIBED'],
  ...[
    'CAMPAIGN_STATUS_CHANGED',
    'CAMPAIGN_STATUS_CHANGE',
    'MANUAL_STEP_REACHED',
    'UNTRACKED_REPLIES',
    'LEAD_CATEGORY_UPDATED',
  ],
]);

/** Categories of people, of those that Smartlead has built in. */
const CATEGORIES: Record<string, EventMetric> = {
  interested: 'positive_replies',
  'meeting request': 'positive_replies',
  'information request': 'positive_replies',
  'meeting booked': 'meetings',
};

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
  const ofCategory = name === 'LEAD_CATEGORY_UPDATED' ? CATEGORIES[category] : undefined;
  const metric = METRICS[name] ?? ofCategory ?? null;
  return {
    kind,
    metric,
    isKnown: metric !== null || NOTED.has(name),
    // A person enters a category once, whatever moves them there again.
    id: ofCategory ? recipient.toLowerCase() : messageIdOf(raw, metric),
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
