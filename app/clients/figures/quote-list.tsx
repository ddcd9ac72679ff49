import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import type { Client } from '../clients.ts';
import { QuoteRow } from './quote-row.tsx';
import { quotesQuery } from './quotes.ts';

interface QuotesProps {
  client: Pick<Client, 'id' | 'name'>;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  canAnswer?: boolean;
  headingLevel: 2 | 3 | 4;
}

/** Lists the client's figures quoted on the public site. Renders nothing until a quote is requested. */
export function Quotes({ client, isImpersonated = false, canAnswer = false, headingLevel }: QuotesProps) {
  const Heading = `h${headingLevel}` as const;
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: quotes, error, refetch } = useQuery(quotesQuery(client.id));
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!quotes || quotes.length === 0) return null;
  return (
    <section aria-label={isImpersonated ? undefined : `Your figures on our website, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <Heading
          ref={heading}
          tabIndex={-1}
          className={headingLevel === 4 ? 'scroll-mt-24 font-medium' : 'scroll-mt-24 text-lg font-semibold'}
        >
          Your figures on our website
        </Heading>
        <ul className="grid grid-cols-1 divide-y divide-line">
          {quotes.map((quote) => (
            <QuoteRow
              key={quote.id}
              client={client}
              quote={quote}
              canAnswer={canAnswer}
              id={isImpersonated ? undefined : `quote-${quote.id}`}
              focusAfter={heading}
            />
          ))}
        </ul>
      </Card>
    </section>
  );
}
