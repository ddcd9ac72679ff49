import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight, Circle, CircleCheck } from 'lucide-react';
import { gateChallenge } from '../../api/gate/challenge.ts';
import { countsQuery, draftCountsQuery } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { samplesQuery } from '../../content/samples.ts';
import { siteSettingDefaults } from '../../settings/read.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { COUNTED } from './content-counts.tsx';
import { Panel, ROW_LINK } from './panel.tsx';

interface Step extends Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'> {
  text: string;
  detail: string;
  /** Undefined while loading. */
  isDone: boolean | undefined;
}

/** Lists the steps from an empty site to a public one. Renders nothing when all are done. */
export function GoLive() {
  const steps = useSteps();
  if (!steps.some(({ isDone }) => isDone === false)) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      heading="Go live"
      more={
        <span className="text-sm text-muted">
          {done} of {steps.length} done
        </span>
      }
      error={null}
      onRetry={() => undefined}
      none=""
      rows={steps.map((step) => <StepRow key={step.text} {...step} />)}
    />
  );
}

function useSteps(): Step[] {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  const hasPublished = usePublishedKinds();
  const hasHours = settings.booking === 'on';
  const { data: home } = useQuery({ ...pageContentQuery('home'), enabled: !hasHours });
  return [
    {
      text: 'Set your site name and contact email',
      detail: 'Shown to visitors and used in emails.',
      to: '/admin/settings',
      isDone: settings.contact_email !== siteSettingDefaults.contact_email,
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

/** Returns whether items of a kind are published that are not samples. Reads what the dashboard shows anyway. */
function usePublishedKinds(): (path: 'projects' | 'posts') => boolean | undefined {
  const { data: counts } = useQuery(countsQuery(COUNTED));
  const { data: drafts } = useQuery(draftCountsQuery(KINDS));
  const { data: samples } = useQuery(samplesQuery);
  return (path) => {
    if (!counts || !drafts || !samples) return;
    const sample = samples.find(({ editor }) => 'kind' in editor && editor.kind === path);
    return (counts.get(path) ?? 0) - (drafts.get(path) ?? 0) > (sample?.names.length ?? 0);
  };
}

function StepRow({ text, detail, isDone, ...link }: Step) {
  const Icon = isDone ? CircleCheck : Circle;
  const content = (
    <>
      <Icon aria-hidden="true" className={`size-4.5 shrink-0 ${isDone ? 'text-accent' : 'text-muted'}`} />
      <span className="grid min-w-0 grow grid-cols-1">
        <span className={isDone ? 'text-muted' : 'font-medium'}>
          {text}
          {isDone && <span className="sr-only"> (done)</span>}
        </span>
        {isDone === false && <span className="text-sm text-muted">{detail}</span>}
      </span>
    </>
  );
  return (
    <li>
      {link.to ? (
        <Link {...link} className={ROW_LINK}>
          {content}
          <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
        </Link>
      ) : (
        <p className="flex min-h-14 items-center gap-x-4 px-5 py-1.5">{content}</p>
      )}
    </li>
  );
}
