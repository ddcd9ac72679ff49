import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

export function BackToNews() {
  return (
    <Link to="/news" className="inline-flex min-h-6 items-center gap-2 text-sm text-muted hover:text-ink">
      <ArrowLeft aria-hidden="true" className="size-4" />
      All posts
    </Link>
  );
}
