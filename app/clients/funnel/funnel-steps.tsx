import { clsx } from 'clsx';
import { useState } from 'react';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { FigureButton } from '../figures/figure-button.tsx';
import { FigureRowsDialog } from '../figures/figure-rows-dialog.tsx';
import type { OpenTab } from '../open-tab.ts';
import { FunnelItemsDialog } from './funnel-items-dialog.tsx';
import { computeRate, type Funnel, lacksLeads, NOT_REPORTED, STEPS } from './funnel-schema.ts';

interface FunnelStepsProps {
  client: { id: string; currency: string };
  funnel: Funnel;
  /** Opens a lead or meeting in its tab. */
  onOpen: OpenTab['open'];
}

const STEP_NAMES = keysOf(STEPS);

/** Stretches the button over the whole step, so that a click anywhere in it works. */
const NUMBER_CLASS =
  'min-h-6 text-right font-semibold focus-visible:outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-4 focus-visible:after:outline-accent';

/**
 * Renders the funnel steps in one row, or as a list in narrow containers. Each step shows its rate as text and as a
 * bar.
 */
export function FunnelSteps({ client, funnel, onOpen }: FunnelStepsProps) {
  const [opened, setOpened] = useState<keyof typeof STEPS | 'not_reported' | null>(null);
  const period = { first: funnel.first_day, last: funnel.last_day };
  const close = () => setOpened(null);
  return (
    <div className="@container grid grid-cols-1">
      <ol className="grid grid-cols-1 divide-y divide-line @5xl:grid-cols-7 @5xl:divide-x @5xl:divide-y-0">
        {STEP_NAMES.map((step) => (
          <li
            key={step}
            className="relative grid min-h-11 grid-cols-[minmax(0,1fr)_auto_minmax(2.75rem,auto)] items-center gap-x-3 px-4 has-[button]:hover:bg-sunken @md:grid-cols-[8rem_minmax(0,1fr)_9rem_3.5rem] @5xl:grid-cols-1 @5xl:content-start @5xl:gap-y-1 @5xl:py-3"
          >
            <span className="@5xl:font-mono @5xl:text-label @5xl:text-muted">{STEPS[step]}</span>
            <Count
              step={step}
              value={step === 'interested' && lacksLeads(funnel) ? null : funnel[step]}
              onOpen={() => setOpened(step)}
            />
            <Rate funnel={funnel} step={step} />
          </li>
        ))}
      </ol>
      <p className="border-t border-line px-4 py-2.5 text-sm text-muted">
        Delivered and replies are imported figures. Leads and meetings are people and calls recorded in the portal.
      </p>
      {funnel.not_reported > 0 && (
        <p className="relative flex min-h-11 items-center gap-3 border-t border-line px-4 text-sm text-muted hover:bg-sunken">
          <span>{NOT_REPORTED}:</span>
          <FigureButton
            figureName={NOT_REPORTED}
            value={funnel.not_reported}
            className={`${NUMBER_CLASS} @max-5xl:order-last min-w-11 @md:min-w-14 @5xl:min-w-0`}
            onOpen={() => setOpened('not_reported')}
          />
          <span className="@max-5xl:grow @max-5xl:text-right @5xl:before:mr-3 @5xl:before:content-['·']">
            {computeRate(funnel, 'not_reported')?.text}
          </span>
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
  if (value === null) {
    return <span className="order-last text-right text-muted @5xl:order-0 @5xl:text-left @5xl:text-2xl">–</span>;
  }
  return (
    <FigureButton
      figureName={STEPS[step]}
      value={value}
      className={`${NUMBER_CLASS} order-last @5xl:order-0 @5xl:text-left @5xl:text-2xl`}
      onOpen={onOpen}
    />
  );
}

/** Drawn as SVG because browsers do not print background colours by default. The first step is 100%. */
function Rate({ funnel, step }: { funnel: Funnel; step: keyof typeof STEPS }) {
  const rate = computeRate(funnel, step);
  const share = step === 'delivered' && funnel.delivered ? 1 : rate?.share;
  return (
    <>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        className={clsx('hidden h-1.5 w-full @md:block @5xl:mt-1', share === undefined && 'invisible')}
      >
        <path d="M0 0H100V6H0Z" className="fill-line" />
        {share !== undefined && <path d={`M0 0H${share * 100}V6H0Z`} className="fill-accent" />}
      </svg>
      <span className="text-sm text-muted @max-5xl:text-right">{rate?.text}</span>
    </>
  );
}
