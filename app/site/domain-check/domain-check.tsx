import { type SubmitEvent, useRef, useState } from 'react';
import type { DomainCheckTexts } from '../../content/pages/domain-check.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { UserError } from '../../ui/lib/user-error.ts';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { checkDomain } from './check-domain.ts';
import type { DomainCheck } from './domain-check-result.ts';
import { DomainFindings } from './domain-findings.tsx';

/** Form that checks the email DNS records of a domain. */
export default function DomainCheckSection({ texts }: { texts: DomainCheckTexts }) {
  const input = useRef<HTMLInputElement>(null);
  const [isChecking, setChecking] = useState(false);
  const [rejection, setRejection] = useState('');
  const [check, setCheck] = useState<DomainCheck>();

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isChecking) return;
    setChecking(true);
    setRejection('');
    setCheck(undefined);
    try {
      setCheck(await checkDomain(input.current?.value ?? ''));
    } catch (error) {
      setRejection(
        error instanceof UserError ? error.message : 'Could not reach the domain check. Please try again in a moment.',
      );
      input.current?.focus();
    } finally {
      setChecking(false);
    }
  }

  return (
    <section
      id="domain-check"
      aria-labelledby="domain-check-heading"
      className="section-space scroll-mt-16 border-t border-line print:hidden"
    >
      <div className="page-grid grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-12">
        <SectionHeading id="domain-check-heading" {...texts} className="content-start lg:col-span-5" />
        <div className="grid min-w-0 grid-cols-1 content-start gap-8 lg:col-span-7">
          <Form onSubmit={onSubmit} aria-label="Check your domain" className="grid grid-cols-1 gap-3">
            <Field
              label="Domain"
              help="The part of your email address after the @. We only read public DNS records, send no email, and delete the result within minutes."
              error={rejection}
            >
              <div className="flex gap-3 max-sm:flex-col">
                <Input
                  ref={input}
                  name="domain"
                  inputMode="url"
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={500}
                  placeholder="example.com"
                  className="grow"
                />
                <Button type="submit" loading={isChecking} className="h-11 noscript:hidden">
                  {isChecking ? 'Checking...' : 'Check'}
                </Button>
              </div>
            </Field>
            <noscript>
              <p className="text-muted">The check needs JavaScript.</p>
            </noscript>
          </Form>
          <div role="status" className="empty:hidden">
            {check && <DomainFindings check={check} />}
          </div>
        </div>
      </div>
    </section>
  );
}
