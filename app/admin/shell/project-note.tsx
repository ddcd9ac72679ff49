import { useLocation } from '@tanstack/react-router';
import { isOnProject } from '../../api/api-endpoint.ts';
import { PROJECT_NOTES } from './project-notes.ts';

/** Shows at the end of a screen which of its features are limited, or need setup, on a Supabase project. */
export function ProjectNote() {
  const { pathname } = useLocation();
  const notes = isOnProject() ? PROJECT_NOTES.filter(({ path }) => path === pathname) : [];
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
      <p>The steps are in docs/hosted.md.</p>
    </aside>
  );
}
