import { useEffect, useRef, useState } from 'react';
import { refusalOf } from '../api/error-code.ts';
import { openAndStoreGrant } from '../api/gate/grant.ts';
import { Button } from './button.tsx';
import { Eyebrow } from './section-heading.tsx';

interface LinkPageProps {
  eyebrow: string;
  title: string;
  question: string;
  button: string;
  done: string;
  /** Stands where the link was good no more. */
  stale: string;
  /** @returns whether the link was good */
  action: () => Promise<boolean>;
}

/**
 * Page of the link in a mail. It acts only when the button is pressed: programs that look at the links of mails open
 * them, and press nothing.
 */
export function LinkPage({ eyebrow, title, question, button, done, stale, action }: LinkPageProps) {
  const [answer, setAnswer] = useState<'done' | 'stale' | null>(null);
  const [failure, setFailure] = useState('');
  const [isSending, setSending] = useState(false);
  const answered = useRef<HTMLParagraphElement>(null);

  // The button that had the focus is gone.
  useEffect(() => {
    if (answer) answered.current?.focus();
  }, [answer]);

  async function run() {
    setSending(true);
    setFailure('');
    try {
      const isGood = await action();
      if (isGood) openAndStoreGrant();
      setAnswer(isGood ? 'done' : 'stale');
    } catch (error) {
      setFailure(refusalOf(error) ?? 'That did not work. Please try again.');
    } finally {
      setSending(false);
    }
  }

  return (
    <section className="page-grid grid content-start gap-6 pt-[clamp(3rem,7vw,7rem)] pb-[clamp(5rem,12vw,12rem)]">
      <Eyebrow>{eyebrow}</Eyebrow>
      <h1 className="text-display-2">{title}</h1>
      {answer ? (
        <p ref={answered} tabIndex={-1} className="measure text-lead outline-none">
          {answer === 'done' ? done : stale}
        </p>
      ) : (
        <>
          <p className="measure text-lead text-muted">{question}</p>
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
