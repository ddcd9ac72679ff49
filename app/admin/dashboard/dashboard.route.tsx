import { createFileRoute, Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ChartLine, FileStack, Settings, Users } from 'lucide-react';
import { useRef } from 'react';
import { Card } from '../../ui/card.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { focusVisits, Visits } from '../../visits/admin/visits-panel.tsx';
import { ContentCounts } from './content-counts.tsx';
import { Decisions } from './decisions.tsx';
import { GoLive } from './go-live.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { LatestConversations } from './latest-conversations.tsx';
import { ROW_LINK } from './panel.tsx';
import { PendingRegistrations } from './pending-registrations.tsx';
import { Samples } from './samples.tsx';
import { TaskQueue } from './task-queue.tsx';

export const Route = createFileRoute('/_gate/admin/dashboard')({ component: Dashboard });

const TILES = [
  { to: '/admin/team', icon: Users, title: 'Manage Users' },
  { to: '/admin/settings', icon: Settings, title: 'Settings' },
  // The figures are on this page, so only move the focus to them.
  { to: '/admin/dashboard', icon: ChartLine, title: 'Analytics', onClick: focusVisits },
  { to: '/admin/pages', icon: FileStack, title: 'Manage Content' },
];

/**
 * Grid class of the dashboard. Wide screens have tasks and changes in the left column, and conversations and links in
 * the right one. The last row absorbs the difference in height.
 */
const COLUMNS =
  'grid grid-cols-1 items-start gap-6 @5xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] @5xl:grid-rows-[auto_1fr]';
const COLUMN = 'grid grid-cols-1 gap-6';

function Dashboard() {
  const tasks = useRef<HTMLHeadingElement>(null);
  return (
    <div className="@container grid gap-6">
      <ScreenHeader title="Dashboard" />
      <ContentCounts />
      <div className={COLUMNS}>
        <div className={COLUMN}>
          <GoLive />
          <TaskQueue heading={tasks} />
          <PendingRegistrations tasksHeading={tasks} />
        </div>
        <div className={clsx(COLUMN, '@5xl:col-start-2 @5xl:row-span-2 @5xl:row-start-1')}>
          <LatestConversations />
          <Decisions />
          <Samples />
          <Tiles />
        </div>
        <div className={COLUMN}>
          <LatestChanges />
          <Visits />
        </div>
      </div>
    </div>
  );
}

function Tiles() {
  return (
    <Card className="overflow-hidden p-0">
      <ul className="grid grid-cols-2 gap-px bg-line">
        {TILES.map(({ icon: Icon, title, ...link }) => (
          <li key={title} className="bg-surface">
            <Link {...link} className={clsx(ROW_LINK, 'h-full font-medium')}>
              <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
