import { LinkPage } from '../../ui/link-page.tsx';
import { confirmNewsletter, unsubscribeFromNewsletter } from '../submit-lead.ts';

interface NewsletterPageProps {
  action: 'confirm' | 'unsubscribe';
  token: string;
}

const TEXTS = {
  confirm: {
    title: 'Confirm your subscription',
    description: 'Confirm that you want to receive our newsletter.',
    button: 'Confirm my subscription',
    successText: 'You are now subscribed to our newsletter. Every issue has an unsubscribe link.',
    invalidText:
      'This link has already been used or is older than a week. Subscribe again at the bottom of the home page.',
  },
  unsubscribe: {
    title: 'Unsubscribe from the newsletter',
    description: 'Do you want to stop receiving our newsletter?',
    button: 'Unsubscribe',
    successText: 'You will receive no more newsletters from us.',
    invalidText: '',
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
