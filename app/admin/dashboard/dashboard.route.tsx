import { createFileRoute } from '@tanstack/react-router';
import { ChartLine, FileStack, Settings, Users } from 'lucide-react';
import { LinkCard, type LinkCardProps } from '../../ui/link-card.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { CallsToday } from './calls-today.tsx';
import { ContentCounts } from './content-counts.tsx';
import { Decisions } from './decisions.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { LatestConversations } from './latest-conversations.tsx';
import { PendingRegistrations } from './pending-registrations.tsx';
import { Samples } from './samples.tsx';
import { focusVisits, Visits } from './visits.tsx';
import { WhatWaits } from './what-waits.tsx';

export const Route = createFileRoute('/_gate/admin/dashboard')({ component: Dashboard });

const TILES: LinkCardProps[] = [
  {
    to: '/admin/team',
    icon: Users,
    title: 'Manage Users',
    text: 'The people on the team page. Accounts are under People.',
  },
  { to: '/admin/settings', icon: Settings, title: 'Settings', text: 'Name, contact, search engines.' },
  {
    to: '/admin/dashboard',
    icon: ChartLine,
    title: 'Analytics',
    text: 'Views, chats and what led to them in the last 30 days.',
    // The figures are on this very screen.
    onClick: focusVisits,
  },
  { to: '/admin/pages', icon: FileStack, title: 'Manage Content', text: 'Every text of the public pages.' },
];

/** The first screen of the admin area: what and who waits, what there is, and where to go. */
function Dashboard() {
  return (
    <div className="grid gap-6">
      <ScreenHeader title="Dashboard" />
      <div className="grid gap-8">
        <WhatWaits />
        <PendingRegistrations />
        <CallsToday />
        <ContentCounts />
        <div className="grid grid-cols-1 items-start gap-x-6 gap-y-8 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <LatestChanges />
          <div className="grid grid-cols-1 gap-8">
            <LatestConversations />
            <Decisions />
          </div>
        </div>
        <Visits />
        <Samples />
        <section aria-labelledby="tiles-heading" className="grid gap-4">
          <h2 id="tiles-heading" className="text-lg font-semibold">
            Go to
          </h2>
          <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
            {TILES.map((tile) => (
              <li key={tile.title}>
                <LinkCard {...tile} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}
