/**
 * Events of custom programs: {"id", "kind": "sent" | "delivered" | "bounced" | "reply" | "positive_reply" | "meeting" |
 * "unsubscribed", "at", "to", "step", "subject", "text", "campaign"}. Only `kind` is required.
 */
import { type CampaignEvent, metricsByType, stepAt, textAt, timeAt } from './campaign-event.ts';

const METRICS = metricsByType({
  sent: ['sent'],
  delivered: ['delivered'],
  bounced: ['bounced'],
  replies: ['reply'],
  positive_replies: ['positive_reply'],
  meetings: ['meeting'],
});

export function readPlainEvent(raw: unknown): CampaignEvent {
  const kind = textAt(raw, 'kind');
  const metric = METRICS.get(kind) ?? null;
  return {
    kind,
    metric,
    isKnown: metric !== null || kind === 'unsubscribed',
    id: textAt(raw, 'id'),
    at: timeAt(raw, 'at'),
    campaign: textAt(raw, 'campaign'),
    step: stepAt(raw, 'step'),
    recipient: textAt(raw, 'to'),
    subject: textAt(raw, 'subject'),
    text: textAt(raw, 'text'),
  };
}
