/**
 * Metrics of campaigns, in the order of lists and reports. The app and the functions derive every list of metrics from
 * this table. Rates are not stored: `of` names the metric that a metric is measured against.
 */

interface Definition {
  label: string;
  /** Noun phrase for the help text 'Counts ….' */
  counts: string;
  of: string | null;
  unit: 'count' | 'currency';
  /** Option of a source that counts this metric from events. Null if events cannot count it. */
  events: 'messages' | 'replies' | 'meetings' | null;
  /** Shown on dashboards, which show four metrics. */
  isHeadline: boolean;
  isReported: boolean;
  /** Clients can set a monthly goal, in the column <metric>_goal of public.clients. */
  hasGoal: boolean;
}

export const METRICS = {
  sent: {
    label: 'Sent',
    counts: 'messages, invitations and calls that were sent or made',
    of: null,
    unit: 'count',
    events: 'messages',
    isHeadline: true,
    isReported: true,
    hasGoal: false,
  },
  delivered: {
    label: 'Delivered',
    counts: 'messages that arrived',
    of: 'sent',
    unit: 'count',
    events: 'messages',
    isHeadline: true,
    isReported: true,
    hasGoal: true,
  },
  bounced: {
    label: 'Bounced',
    counts: 'messages that bounced',
    of: 'sent',
    unit: 'count',
    events: 'messages',
    isHeadline: false,
    isReported: false,
    hasGoal: false,
  },
  replies: {
    label: 'Replies',
    counts: 'answers that people wrote',
    of: 'delivered',
    unit: 'count',
    events: 'replies',
    isHeadline: true,
    isReported: true,
    hasGoal: true,
  },
  positive_replies: {
    label: 'Positive replies',
    counts: 'answers with interest',
    of: 'replies',
    unit: 'count',
    events: 'replies',
    isHeadline: false,
    isReported: true,
    hasGoal: false,
  },
  meetings: {
    label: 'Meetings',
    counts: 'meetings that were booked',
    of: 'replies',
    unit: 'count',
    events: 'meetings',
    isHeadline: true,
    isReported: true,
    hasGoal: true,
  },
  pipeline: {
    label: 'Pipeline',
    counts: 'the value of possible sales, in whole units of the currency',
    of: null,
    unit: 'currency',
    events: null,
    isHeadline: false,
    isReported: false,
    hasGoal: false,
  },
} as const satisfies Record<string, Definition>;

export type Metric = keyof typeof METRICS;

type MetricWith<Part> = { [Name in Metric]: (typeof METRICS)[Name] extends Part ? Name : never }[Metric];

/** An option of a source: a group of metrics to count. */
export type EventGroup = NonNullable<Definition['events']>;

export type EventMetric = MetricWith<{ events: EventGroup }>;
export type GoalMetric = MetricWith<{ hasGoal: true }>;

/** A column of public.clients with a monthly goal. */
export type GoalField = `${GoalMetric}_goal`;

export const METRIC_NAMES: readonly Metric[] = Object.keys(METRICS).filter(isMetric);
export const REPORTED_METRICS = METRIC_NAMES.filter((name) => METRICS[name].isReported);
export const HEADLINE_METRICS = METRIC_NAMES.filter((name) => METRICS[name].isHeadline);
export const GOAL_METRICS = METRIC_NAMES.filter(hasGoal);
export const GOAL_FIELDS: readonly GoalField[] = GOAL_METRICS.map((name) => `${name}_goal` as const);
export const EVENT_METRICS = METRIC_NAMES.filter(hasEvents);

export function isMetric(text: string): text is Metric {
  return Object.hasOwn(METRICS, text);
}

function hasEvents(metric: Metric): metric is EventMetric {
  return METRICS[metric].events !== null;
}

export function hasGoal(metric: Metric): metric is GoalMetric {
  return METRICS[metric].hasGoal;
}

/** Returns the help text of a metric, such as 'answers that people wrote, measured against delivered'. */
export function metricMeaning(metric: Metric): string {
  const { counts, of } = METRICS[metric];
  return of ? `${counts}, measured against ${METRICS[of].label.toLowerCase()}` : counts;
}
