import { useEffect, useRef, useState } from 'react';
import { confirmNewsletter, refusalOf, unsubscribeFromNewsletter } from '../../data/leads/leave-lead.ts';
import { Button } from '../../ui/button.tsx';
import { Eyebrow } from '../../ui/section-heading.tsx';

interface NewsletterPageProps {
  act: 'confirm' | 'unsubscribe';
  token: string;
}

const TEXTS = {
  confirm: {
    title: 'One click, and you are in',
    question: 'Confirm that you want our newsletter.',
    button: 'Confirm my subscription',
    done: 'You get our newsletter from now on. Every issue has a link to leave.',
    stale: 'This link was used already, or is older than a week. Subscribe once more at the bottom of this page.',
  },
  unsubscribe: {
    title: 'Leave the newsletter',
    question: 'Do you want to get no more newsletters from us?',
    button: 'Unsubscribe',
    done: 'You get no more newsletters from us.',
    stale: '',
  },
};

/** Acts on a press of the button only: programs that look at the links of mails open them, and press nothing. */
export function NewsletterPage({ act, token }: NewsletterPageProps) {
  const { title, question, button, done, stale } = TEXTS[act];
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
      if (act === 'confirm') setAnswer((await confirmNewsletter(token)) ? 'done' : 'stale');
      else {
        await unsubscribeFromNewsletter(token);
        setAnswer('done');
      }
    } catch (error) {
      setFailure(refusalOf(error) ?? 'That did not work. Please try again.');
    } finally {
      setSending(false);
    }
  }

  return (
    <section className="page-grid grid content-start gap-6 pt-[clamp(3rem,7vw,7rem)] pb-[clamp(5rem,12vw,12rem)]">
      <Eyebrow>Newsletter</Eyebrow>
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
