import { createFileRoute } from '@tanstack/react-router';
import { SectionHeading } from '../ui/section-heading.tsx';

export const Route = createFileRoute('/_gate/_site/auth')({ component: AuthPage });

function AuthPage() {
  return (
    <div className="page-grid section-space">
      <SectionHeading as="h1" eyebrow="Account" heading="Sign in" description="Accounts open soon." />
    </div>
  );
}
