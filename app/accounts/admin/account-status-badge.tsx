import { Badge } from '../../ui/badge.tsx';
import type { AccountStatus } from '../people.ts';

const STATUSES = {
  client: { label: 'Client', tone: 'neutral' },
  team: { label: 'Team', tone: 'accent' },
  admin: { label: 'Admin', tone: 'accent' },
  pending: { label: 'Pending', tone: 'warning' },
  declined: { label: 'Declined', tone: 'danger' },
  none: { label: 'No role', tone: 'neutral' },
} as const satisfies Record<AccountStatus, { label: string; tone: string }>;

/** Badge with the status of an account, and a second badge for a pending invitation. */
export function AccountStatusBadge({ status, isInvited }: { status: AccountStatus; isInvited: boolean }) {
  const { label, tone } = STATUSES[status];
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tone}>{label}</Badge>
      {isInvited && <Badge>Invited</Badge>}
    </span>
  );
}
