import { Badge } from '../ui/badge.tsx';
import { LEAD_SOURCES, LEAD_STATUSES, type Lead, type LeadSource, type LeadStatus } from './leads.ts';

const TONES: Record<LeadStatus, 'accent' | 'neutral' | 'signal'> = {
  new: 'signal',
  contacted: 'accent',
  won: 'accent',
  lost: 'neutral',
};

export function LeadStatusBadge({ status }: { status: LeadStatus }) {
  return <Badge tone={TONES[status]}>{LEAD_STATUSES[status]}</Badge>;
}

export function isStatus(text: string): text is LeadStatus {
  return Object.hasOwn(LEAD_STATUSES, text);
}

export function isSource(text: string): text is LeadSource {
  return Object.hasOwn(LEAD_SOURCES, text);
}

/** Returns the name. If it is missing, returns the email address or the phone number. */
export function leadName({ name, email, phone }: Pick<Lead, 'name' | 'email' | 'phone'>): string {
  return name || email || phone;
}
