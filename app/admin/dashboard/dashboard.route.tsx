import { createFileRoute } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ChartLine, FileStack, Settings, Users } from 'lucide-react';
import { LinkCard, type LinkCardProps } from '../../ui/link-card.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { focusVisits, Visits } from '../../visits/admin/visits-panel.tsx';
import { ContentCounts } from './content-counts.tsx';
import { Decisions } from './decisions.tsx';
import { GoLive } from './go-live.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { LatestConversations } from './latest-conversations.tsx';
import { PendingRegistrations } from './pending-registrations.tsx';
import { Samples } from './samples.tsx';
import { TaskQueue } from './task-queue.tsx';

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
    text: 'Views, chats and referrers in the last 30 days.',
    // The figures are on this page, so only move the focus to them.
    onClick: focusVisits,
  },
  { to: '/admin/pages', icon: FileStack, title: 'Manage Content', text: 'All texts of the public pages.' },
];

/**
 * Grid class of the dashboard. Wide screens have tasks and changes in the left column, and conversations and links in
 * the right one. The last row absorbs the difference in height.
 */
const COLUMNS =
  'grid grid-cols-1 items-start gap-6 @5xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] @5xl:grid-rows-[auto_1fr]';
const COLUMN = 'grid grid-cols-1 gap-6';

function Dashboard() {
  return (
    <div className="@container grid gap-6">
      <ScreenHeader title="Dashboard" />
      <ContentCounts />
      <div className={COLUMNS}>
        <div className={COLUMN}>
          <GoLive />
          <TaskQueue />
          <PendingRegistrations />
        </div>
        <div className={clsx(COLUMN, '@5xl:col-start-2 @5xl:row-span-2 @5xl:row-start-1')}>
          <LatestConversations />
          <Decisions />
          <Samples />
          <GoTo />
        </div>
        <div className={COLUMN}>
          <LatestChanges />
          <Visits />
        </div>
      </div>
    </div>
  );
}

function GoTo() {
  return (
    <section aria-labelledby="tiles-heading" className="@container grid gap-4">
      <h2 id="tiles-heading" className="text-lg font-semibold">
        Go to
      </h2>
      <ul className="grid gap-3 @xl:grid-cols-2">
        {TILES.map((tile) => (
          <li key={tile.title}>
            <LinkCard {...tile} />
          </li>
        ))}
      </ul>
    </section>
  );
}
