import { useState } from 'react';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { FigureButton } from '../figures/figure-button.tsx';
import { FigureRowsDialog } from '../figures/figure-rows-dialog.tsx';
import type { OpenTab } from '../open-tab.ts';
import { FunnelItemsDialog } from './funnel-items-dialog.tsx';
import { type Funnel, NOT_REPORTED, STEPS } from './funnel-schema.ts';

interface FunnelStepsProps {
  client: { id: string; currency: string };
  funnel: Funnel;
  /** Opens a lead or meeting in its tab. */
  onOpen: OpenTab['open'];
}

const STEP_NAMES = keysOf(STEPS);

/** The button covers its step. */
const NUMBER_CLASS =
  'min-h-6 text-right font-semibold focus-visible:outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-4 focus-visible:after:outline-accent';

/** Steps of a funnel in one row, or as a list where it is narrow. Each count opens the rows behind it. */
export function FunnelSteps({ client, funnel, onOpen }: FunnelStepsProps) {
  const [opened, setOpened] = useState<keyof typeof STEPS | 'not_reported' | null>(null);
  const period = { first: funnel.first_day, last: funnel.last_day };
  const close = () => setOpened(null);
  return (
    <div className="@container grid grid-cols-1">
      <ol className="grid grid-cols-1 divide-y divide-line @3xl:grid-cols-7 @3xl:divide-x @3xl:divide-y-0">
        {STEP_NAMES.map((step) => (
          <li
            key={step}
            className="relative flex min-h-11 items-center justify-between gap-3 px-4 has-[button]:hover:bg-sunken @3xl:flex-col @3xl:items-start @3xl:gap-1 @3xl:py-3"
          >
            <span className="@3xl:font-mono @3xl:text-label @3xl:text-muted">{STEPS[step]}</span>
            <Count step={step} value={funnel[step]} onOpen={() => setOpened(step)} />
          </li>
        ))}
      </ol>
      {funnel.not_reported > 0 && (
        <p className="relative flex min-h-11 items-center justify-between gap-3 border-t border-line px-4 text-sm text-muted hover:bg-sunken @3xl:justify-start">
          <span>{NOT_REPORTED}:</span>
          <FigureButton
            figureName={NOT_REPORTED}
            value={funnel.not_reported}
            className={NUMBER_CLASS}
            onOpen={() => setOpened('not_reported')}
          />
        </p>
      )}
      {opened === 'delivered' || opened === 'replies' ? (
        <FigureRowsDialog
          clientId={client.id}
          metric={opened}
          periods={[{ ...period, title: 'Funnel' }]}
          onClose={close}
        />
      ) : (
        opened && (
          <FunnelItemsDialog
            client={client}
            period={period}
            step={opened}
            count={funnel[opened]}
            onOpen={onOpen}
            onClose={close}
          />
        )
      )}
    </div>
  );
}

interface CountProps {
  step: keyof typeof STEPS;
  value: number | null;
  onOpen: () => void;
}

function Count({ step, value, onOpen }: CountProps) {
  if (value === null) return <span className="text-muted @3xl:text-2xl">–</span>;
  return (
    <FigureButton figureName={STEPS[step]} value={value} className={`${NUMBER_CLASS} @3xl:text-2xl`} onOpen={onOpen} />
  );
}
