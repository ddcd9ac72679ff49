import { createFileRoute } from '@tanstack/react-router';
import { confirmLead } from '../../leads/leave-lead.ts';
import { LinkPage } from '../../ui/link-page.tsx';

/** Behind the link in the mail that asks for proof of an address. The token in the address is a key: nobody keeps the page. */
export const Route = createFileRoute('/_gate/_site/contact/confirm/$token')({
  ssr: false,
  headers: () => ({ 'cache-control': 'private, no-store' }),
  head: () => ({
    meta: [
      { title: 'Your message' },
      { name: 'robots', content: 'noindex' },
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: ConfirmMessage,
});

function ConfirmMessage() {
  const { token } = Route.useParams();
  return (
    <LinkPage
      key={token}
      eyebrow="Contact"
      title="One click, and we have your message"
      question="Send us the message that you wrote."
      button="Send my message"
      done="Thank you. We have your message, and get back to you soon."
      stale="This link was used already, or is older than 15 minutes. If you have not sent your message yet, please write it once more."
      action={() => confirmLead(token)}
    />
  );
}
