import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { refusalOf } from '../../../api/error-code.ts';
import { openAndStoreGrant } from '../../../api/gate/grant.ts';
import { Button } from '../../../ui/button.tsx';
import { lazy } from '../../../ui/lazy.tsx';
import { Eyebrow } from '../../../ui/section-heading.tsx';
import { openLinkMutation } from '../approval-link.ts';
import { Notice, ToDashboard } from './notice.tsx';

const Version = lazy(() => import('./version.tsx'));

/**
 * One version of a text, a list or a file behind the link in a mail. The page itself asks for nothing, because scanners of mails
 * open it: a press shows the version to this browser, and another one decides.
 */
export function ApprovePage({ token }: { token: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { mutate, data, error, isPending } = useMutation(openLinkMutation);
  const version = data && !('refusal' in data) ? data : undefined;
  const refusal = data && 'refusal' in data ? data.refusal : refusalOf(error);
  const show = () => {
    void Version.preload();
    mutate(token, {
      onSuccess: (answer) => {
        // The button is removed with the answer, so the keyboard focus moves to the title.
        heading.current?.focus();
        if (!('refusal' in answer)) openAndStoreGrant();
      },
    });
  };
  return (
    <section data-first-screen className="page-grid grid grid-cols-1 content-start gap-8 py-[clamp(3rem,7vw,6rem)]">
      <div>
        <Eyebrow>{version ? version.client : 'Waiting for your yes'}</Eyebrow>
        <h1 ref={heading} tabIndex={-1} className="mt-6 text-display-2 [overflow-wrap:anywhere]">
          {version?.title ?? 'One thing to decide'}
        </h1>
      </div>
      {!data && !error && (
        <>
          <p className="measure">
            Opening this page decides nothing. What waits is shown to this browser, and from then on to no other with
            this link.
          </p>
          <Button size="lg" loading={isPending} className="justify-self-start" onClick={show}>
            Show it
          </Button>
        </>
      )}
      {(error || refusal !== null) && (
        <Notice>
          <p role="alert">{refusal ?? 'It could not be loaded.'}</p>
          <div className="flex flex-wrap gap-3">
            <ToDashboard />
            {refusal === null && (
              <Button variant="secondary" loading={isPending} onClick={show}>
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
