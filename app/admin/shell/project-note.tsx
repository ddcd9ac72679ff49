import { useLocation } from '@tanstack/react-router';
import { isHostedSupabase } from '../../api/api-endpoint.ts';
import { PROJECT_NOTES } from './project-notes.ts';

/** Lists the features of the current screen that are limited or need setup on an external Supabase project. */
export function ProjectNote() {
  const { pathname } = useLocation();
  const notes = isHostedSupabase() ? PROJECT_NOTES.filter(({ path }) => path === pathname) : [];
  if (notes.length === 0) return null;
  return (
    <aside
      aria-label="Setup notes for your Supabase project"
      className="mt-10 grid gap-2 border-t border-line pt-4 text-sm text-muted"
    >
      <p className="font-semibold text-ink">Setup notes for your Supabase project</p>
      <ul className="grid gap-1">
        {notes.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>See docs/hosted.md for the steps.</p>
    </aside>
  );
}
