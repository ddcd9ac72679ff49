import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function LeadLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      to="/admin/leads/$id"
      params={{ id }}
      className="rounded-sm decoration-line-strong underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}
