/** Everything that is counted. No rate is stored: each figure says what it is a part of. */
export const METRICS = {
  sent: { label: 'Sent', counts: 'messages, invitations and calls that went out', of: null },
  delivered: { label: 'Delivered', counts: 'messages that arrived', of: 'sent' },
  bounced: { label: 'Bounced', counts: 'messages that came back', of: 'sent' },
  replies: { label: 'Replies', counts: 'answers that people wrote', of: 'delivered' },
  positive_replies: { label: 'Positive replies', counts: 'answers with interest', of: 'replies' },
  meetings: { label: 'Meetings', counts: 'meetings that were booked', of: 'replies' },
  pipeline: {
    label: 'Pipeline',
    counts: 'worth of what may become of meetings, in whole units of the currency',
    of: null,
  },
} as const;

export type Metric = keyof typeof METRICS;

export function isMetric(text: string): text is Metric {
  return Object.hasOwn(METRICS, text);
}

/** 'Positive replies' for positive_replies. */
export function metricWord(metric: string): string {
  return isMetric(metric) ? METRICS[metric].label : metric;
}

/** 'answers that people wrote, measured against delivered' for replies. */
export function metricMeaning(metric: Metric): string {
  const { counts, of } = METRICS[metric];
  return of ? `${counts}, measured against ${METRICS[of].label.toLowerCase()}` : counts;
}
