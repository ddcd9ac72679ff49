import { LinkPage } from '../../ui/link-page.tsx';
import { confirmNewsletter, unsubscribeFromNewsletter } from '../leave-lead.ts';

interface NewsletterPageProps {
  action: 'confirm' | 'unsubscribe';
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

export function NewsletterPage({ action, token }: NewsletterPageProps) {
  const unsubscribe = async () => {
    await unsubscribeFromNewsletter(token);
    return true;
  };
  const run = action === 'confirm' ? () => confirmNewsletter(token) : unsubscribe;
  return <LinkPage eyebrow="Newsletter" {...TEXTS[action]} action={run} />;
}
