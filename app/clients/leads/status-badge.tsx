import { Badge } from '../../ui/badge.tsx';
import { LEAD_STATUSES, type LeadStatus } from './lead-schema.ts';

const TONES = {
  new: 'warning',
  taken: 'neutral',
  meeting: 'accent',
  won: 'accent',
  not_fit: 'neutral',
  lost: 'neutral',
} as const;

export function StatusBadge({ status }: { status: LeadStatus }) {
  return <Badge tone={TONES[status]}>{LEAD_STATUSES[status]}</Badge>;
}
