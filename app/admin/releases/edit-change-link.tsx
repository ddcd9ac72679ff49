import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sectionLink } from '../../api/places/section-link.ts';
import type { ReleaseChange } from '../../editing/releases/releases.ts';
import { buttonClass } from '../../ui/button.tsx';

interface EditChangeLinkProps {
  change: ReleaseChange;
  /** Title of the change, for the link's accessible name. */
  label: string;
  children: ReactNode;
}

/** Links to the form that edits a change. */
export function EditChangeLink({ change, label, children }: EditChangeLinkProps) {
  const { kind, item_id, id, release_id: release } = change;
  const linkProps = { className: buttonClass({ variant: 'secondary', size: 'sm' }), 'aria-label': `Edit ${label}` };
  if (kind === 'site_settings') {
    return (
      <Link to="/admin/settings" search={{ release, setting: item_id }} {...linkProps}>
        {children}
      </Link>
    );
  }
  if (kind === 'page_content') {
    const [page = '', name = ''] = item_id.split('/');
    const { to, tab } = sectionLink(page, name);
    return (
      <Link to={to} search={{ tab, release }} {...linkProps}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/admin/releases/$id/$change" params={{ id: release, change: id }} {...linkProps}>
      {children}
    </Link>
  );
}
