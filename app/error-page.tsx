import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Button } from './ui/button.tsx';
import { isImportError } from './ui/lib/import-error.ts';
import { Eyebrow } from './ui/section-heading.tsx';

/** Stands in for a page that could not be drawn. The reason is in the server's log, not here. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = async () => {
    // The page may be of a build that is gone, and what could not be imported may be remembered.
    if (isImportError(error)) return window.location.reload();
    await router.invalidate();
    reset?.();
  };
  return (
    <main className="page-grid flex min-h-svh flex-col items-start justify-center gap-6 py-20">
      <Eyebrow>Error</Eyebrow>
      <h1 className="text-display-2">Something went wrong</h1>
      <p className="measure text-lead text-muted">
        This page could not be loaded. It is not your fault; trying again often helps.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void retry()}>Try again</Button>
        <Button variant="secondary" onClick={() => window.location.assign('/')}>
          Return to Home
        </Button>
      </div>
    </main>
  );
}
