import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import { gateChallenge } from '../../api/gate/challenge.ts';
import { countsQuery, draftCountsQuery } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { samplesQuery } from '../../content/samples.ts';
import { siteSettingDefaults } from '../../settings/read-site-settings.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { COUNTED_KINDS } from './content-counts.tsx';
import { Panel } from './panel.tsx';
import type { Task } from './pending-tasks.ts';
import { TaskRow } from './task-row.tsx';

interface Step extends Omit<Task, 'icon' | 'key'> {
  /** Undefined while loading. */
  isDone: boolean | undefined;
}

/** Lists the steps from an empty site to a public one. Renders nothing when all are done. */
export function GoLive() {
  const steps = useSteps();
  if (!steps.some(({ isDone }) => isDone === false)) return null;
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      heading="Go live"
      more={
        <span className="text-sm text-muted">
          {doneCount} of {steps.length} done
        </span>
      }
      error={null}
      onRetry={() => undefined}
      rows={steps.map(({ isDone, ...step }) => (
        <TaskRow
          {...step}
          key={step.text}
          isDone={isDone === true}
          icon={isDone ? CircleCheck : Circle}
          detail={isDone ? 'Done' : step.detail}
        />
      ))}
    />
  );
}

function useSteps(): Step[] {
  const { data: settings } = useQuery(siteSettingsQuery);
  const hasPublished = usePublishedKinds();
  const hasHours = settings?.booking === 'on';
  const { data: home } = useQuery({ ...pageContentQuery('home'), enabled: !hasHours });
  return [
    {
      text: 'Set your site name and contact email',
      detail: 'Shown to visitors and used in emails.',
      to: '/admin/settings',
      isDone: settings && settings.contact_email !== siteSettingDefaults.contact_email,
    },
    {
      text: 'Publish your first project',
      detail: 'The samples do not count.',
      to: '/admin/$kind',
      params: { kind: 'projects' },
      isDone: hasPublished('projects'),
    },
    {
      text: 'Publish your first post',
      detail: 'The samples do not count.',
      to: '/admin/$kind',
      params: { kind: 'posts' },
      isDone: hasPublished('posts'),
    },
    {
      text: 'Set the hours for calls',
      detail: 'Visitors can then book a call with you.',
      to: '/admin/bookings',
      search: { tab: 'availability' },
      isDone: hasHours || (home && /^\s*https:/i.test(home.sections.booking.calendlyPlaceholder)),
    },
    {
      text: 'Turn off the preview gate',
      detail: 'Visitors need the passcode. Set PREVIEW_GATE=off and restart the server.',
      isDone: !gateChallenge(),
    },
  ];
}

/**
 * Returns whether each kind has published items other than samples. Reuses the queries of the dashboard, so it sends no
 * extra request.
 */
function usePublishedKinds(): (path: 'projects' | 'posts') => boolean | undefined {
  const { data: counts } = useQuery(countsQuery(COUNTED_KINDS));
  const { data: drafts } = useQuery(draftCountsQuery(KINDS));
  const { data: samples } = useQuery(samplesQuery);
  return (path) => {
    if (!counts || !drafts || !samples) return;
    const sample = samples.find(({ editor }) => 'kind' in editor && editor.kind === path);
    return (counts.get(path) ?? 0) - (drafts.get(path) ?? 0) > (sample?.names.length ?? 0);
  };
}
