import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { refusalOf } from '../../data/api/error-code.ts';
import { type LinkedVersion, openLinkMutation } from '../../data/clients/approval-link.ts';
import { formatDate } from '../../lib/format-date.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Eyebrow } from '../../ui/section-heading.tsx';
import { TextBox, TextDifference } from '../../ui/text-difference.tsx';
import { DecideByLink } from './decide-by-link.tsx';

/**
 * One version of a text behind the link in a mail. The page itself asks for nothing, because scanners of mails open it: a press
 * shows the text to this browser, and another one decides.
 */
export function ApprovePage({ token }: { token: string }) {
  const { mutate, data, error, isPending } = useMutation(openLinkMutation);
  const version = data && !('refusal' in data) ? data : undefined;
  const refusal = data && 'refusal' in data ? data.refusal : refusalOf(error);
  return (
    <section className="page-grid grid grid-cols-1 content-start gap-8 py-[clamp(3rem,7vw,6rem)]">
      <div>
        <Eyebrow>{version ? version.client : 'Waiting for your yes'}</Eyebrow>
        <h1 className="mt-6 text-display-2 [overflow-wrap:anywhere]">{version?.title ?? 'One text to read'}</h1>
      </div>
      {!data && !error && (
        <>
          <p className="measure">
            Opening this page decides nothing. The text is shown to this browser, and from then on to no other with this
            link.
          </p>
          <Button size="lg" loading={isPending} className="justify-self-start" onClick={() => mutate(token)}>
            Show the text
          </Button>
        </>
      )}
      {(error || refusal !== null) && (
        <Notice>
          <p role="alert">{refusal ?? 'The text could not be loaded.'}</p>
          <div className="flex flex-wrap gap-3">
            <ToDashboard />
            {refusal === null && (
              <Button variant="secondary" loading={isPending} onClick={() => mutate(token)}>
                Try again
              </Button>
            )}
          </div>
        </Notice>
      )}
      {version && <Version token={token} version={version} />}
    </section>
  );
}

function Version({ token, version }: { token: string; version: LinkedVersion }) {
  const { state, number, text, former_text, due_on } = version;
  const facts = [`Version ${number}`, due_on && `by ${formatDate(due_on)}`].filter(Boolean).join(', ');
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-6">
      <p className="text-muted">{facts}</p>
      {state !== 'open' && (
        <Notice>
          <p role="alert">{ENDED[state]}</p>
          <ToDashboard />
        </Notice>
      )}
      {former_text === null ? (
        <TextBox label="Text" pieces={[{ text, isChanged: false }]} />
      ) : (
        <TextDifference
          before={former_text}
          after={text}
          labels={[`Version ${number - 1}`, `Version ${number}, new`]}
          isWhole
        />
      )}
      {state === 'open' && <DecideByLink token={token} version={version} />}
    </div>
  );
}

const ENDED = {
  newer: 'There is a newer version of this text. Its own mail has the link to it, and so has your dashboard.',
  used: 'This link was used. Your dashboard shows what came of it.',
  decided: 'This version is decided. Your dashboard shows what was said.',
};

function ToDashboard() {
  return (
    <Link to="/client-dashboard" className={buttonClass({ variant: 'primary' })}>
      Go to your dashboard
    </Link>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="grid max-w-2xl justify-items-start gap-4 rounded-md bg-sunken p-5 font-medium">{children}</div>
  );
}
