import { useEffect, useRef, useState } from 'react';
import { rejectionMessage } from '../api/error-code.ts';
import { openAndStoreGrant } from '../api/gate/grant.ts';
import { Button } from './button.tsx';
import { Eyebrow } from './section-heading.tsx';

interface LinkPageProps {
  eyebrow: string;
  title: string;
  description: string;
  button: string;
  successText: string;
  /** Shown if the link is no longer valid. */
  invalidText: string;
  /** @returns true if the link was valid */
  action: () => Promise<boolean>;
}

/** Landing page of an email link. It acts only on click, because mail scanners follow links. */
export function LinkPage({ eyebrow, title, description, button, successText, invalidText, action }: LinkPageProps) {
  const [outcome, setOutcome] = useState<'done' | 'stale' | null>(null);
  const [failure, setFailure] = useState('');
  const [isSending, setSending] = useState(false);
  const message = useRef<HTMLParagraphElement>(null);

  // The focused button unmounts, so focus the result.
  useEffect(() => {
    if (outcome) message.current?.focus();
  }, [outcome]);

  async function run() {
    setSending(true);
    setFailure('');
    try {
      const isValid = await action();
      if (isValid) openAndStoreGrant();
      setOutcome(isValid ? 'done' : 'stale');
    } catch (error) {
      setFailure(rejectionMessage(error) ?? 'Something went wrong. Please try again.');
    } finally {
      setSending(false);
    }
  }

  return (
    <section className="page-grid grid content-start gap-6 pt-[clamp(3rem,7vw,7rem)] pb-[clamp(5rem,12vw,12rem)]">
      <Eyebrow>{eyebrow}</Eyebrow>
      <h1 className="text-display-2">{title}</h1>
      {outcome ? (
        <p ref={message} tabIndex={-1} className="measure text-lead outline-none">
          {outcome === 'done' ? successText : invalidText}
        </p>
      ) : (
        <>
          <p className="measure text-lead text-muted">{description}</p>
          {failure && (
            <p role="alert" className="text-danger">
              {failure}
            </p>
          )}
          <Button size="lg" loading={isSending} onClick={() => void run()} className="justify-self-start">
            {button}
          </Button>
        </>
      )}
    </section>
  );
}
