import { createFileRoute, notFound } from '@tanstack/react-router';
import { titleHead } from '../../ui/lib/seo.ts';
import { NewsletterPage } from './newsletter-page.tsx';

/** Pages that newsletter emails link to with a token: /newsletter/confirm and /newsletter/unsubscribe. */
export const Route = createFileRoute('/_gate/_site/_portal/newsletter/$action')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    typeof token === 'string' && token !== '' ? { token } : {},
  beforeLoad: ({ params: { action } }) => {
    if (action !== 'confirm' && action !== 'unsubscribe') throw notFound();
  },
  head: ({ matches }) => ({
    ...titleHead(matches, 'Newsletter'),
    // The URL contains a secret token.
    meta: [...titleHead(matches, 'Newsletter').meta, { name: 'referrer', content: 'no-referrer' }],
  }),
  component: Newsletter,
});

function Newsletter() {
  const { action } = Route.useParams();
  const { token = '' } = Route.useSearch();
  return <NewsletterPage key={action} action={action === 'confirm' ? action : 'unsubscribe'} token={token} />;
}
