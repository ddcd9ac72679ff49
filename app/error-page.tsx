import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Button } from './ui/button.tsx';
import { isImportError } from './ui/lib/import-error.ts';
import { Eyebrow } from './ui/section-heading.tsx';

/** Fallback for a page that failed to render. The error is in the server log. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = async () => {
    // The page may be from an older build, and browsers cache failed imports.
    if (isImportError(error)) return window.location.reload();
    await router.invalidate();
    reset?.();
  };
  return (
    <main className="page-grid flex min-h-svh flex-col items-start justify-center gap-6 py-20">
      <Eyebrow>Error</Eyebrow>
      <h1 className="text-display-2">Something went wrong</h1>
      <p className="measure text-lead text-muted">This page could not be loaded. Please try again.</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void retry()}>Try again</Button>
        <Button variant="secondary" onClick={() => window.location.assign('/')}>
          Return to Home
        </Button>
      </div>
    </main>
  );
}
