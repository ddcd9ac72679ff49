import { Badge } from '../ui/badge.tsx';
import { LEAD_SOURCES, LEAD_STATUSES, type Lead, type LeadSource, type LeadStatus } from './leads.ts';

const TONES = { new: 'signal', contacted: 'accent', won: 'accent', lost: 'neutral' } as const;

export function LeadStatusBadge({ status }: { status: string }) {
  return isStatus(status) ? <Badge tone={TONES[status]}>{LEAD_STATUSES[status]}</Badge> : null;
}

export function isStatus(text: string): text is LeadStatus {
  return Object.hasOwn(LEAD_STATUSES, text);
}

export function isSource(text: string): text is LeadSource {
  return Object.hasOwn(LEAD_SOURCES, text);
}

/** Their name, or else what there is of them. */
export function leadName({ name, email, phone }: Pick<Lead, 'name' | 'email' | 'phone'>): string {
  return name || email || phone;
}

/** 'Chat' for assistant. */
export function sourceWord(source: string): string {
  return isSource(source) ? LEAD_SOURCES[source] : source;
}
