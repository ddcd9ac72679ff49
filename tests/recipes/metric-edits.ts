/** Lines that the recipe for a metric adds. */
import type { Edit } from '../support/recipe-copy.ts';

const EVENTS = 'supabase/functions/campaign-events';

/** Defines the metric, with or without a goal. */
export function metricEdit(hasGoal: boolean): Edit {
  const entry = `label: 'Opened', counts: 'messages that were opened', of: 'delivered', unit: 'count', events: 'messages'`;
  const flags = `isHeadline: false, isReported: true, hasGoal: ${hasGoal}`;
  return ['supabase/functions/metrics.ts', 'export const METRICS = {\n', `  opened: { ${entry}, ${flags} },\n`];
}

/** Edits in the files that the compiler reports for a metric without a goal. */
export const METRIC_EDITS: Edit[] = [
  [
    'app/clients/figures/figure-columns.ts',
    'const COLUMN_NAMES: Record<Metric, readonly string[]> = {\n',
    `  opened: ['opened', 'emails opened'],\n`,
  ],
  [`${EVENTS}/instantly.ts`, 'const METRICS = metricsByType({\n', `  opened: ['email_opened'],\n`],
  [`${EVENTS}/lemlist.ts`, 'const METRICS = metricsByType({\n', `  opened: ['emailsopened'],\n`],
  [`${EVENTS}/plain.ts`, 'const METRICS = metricsByType({\n', `  opened: ['opened'],\n`],
  [`${EVENTS}/smartlead.ts`, 'const METRICS = metricsByType({\n', `  opened: ['EMAIL_OPEN', 'EMAIL_OPENED'],\n`],
  [`${EVENTS}/smartlead.ts`, 'const CATEGORIES = metricsByType({\n', `  opened: [],\n`],
];
