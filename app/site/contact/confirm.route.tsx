import { createFileRoute } from '@tanstack/react-router';
import { confirmLead } from '../../leads/submit-lead.ts';
import { LinkPage } from '../../ui/link-page.tsx';

/**
 * Page of the confirmation link for a contact message. The page must not be cached, because its URL contains a secret
 * token.
 */
export const Route = createFileRoute('/_gate/_site/contact/confirm/$token')({
  ssr: false,
  headers: () => ({ 'cache-control': 'private, no-store' }),
  head: () => ({
    meta: [
      { title: 'Confirm your message' },
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
      title="Confirm your message"
      description="Select the button to send us your message."
      button="Send my message"
      successText="Thank you. We received your message and will get back to you soon."
      invalidText="This link has already been used or is older than 15 minutes. If you have not sent your message yet, please write it again."
      action={() => confirmLead(token)}
    />
  );
}
