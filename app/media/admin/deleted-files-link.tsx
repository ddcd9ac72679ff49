import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { ButtonLink } from '../../ui/button.tsx';
import { keepsDeletedMediaQuery } from '../deleted-media.ts';

/** Links to the deleted files, if the storage keeps them. */
export function DeletedFilesLink() {
  const { data: hasTrash = false } = useQuery(keepsDeletedMediaQuery);
  if (!hasTrash) return null;
  return (
    <ButtonLink to="/admin/media/deleted" variant="secondary" className="max-sm:size-11 max-sm:px-0!">
      <Trash2 aria-hidden="true" />
      <span className="max-sm:sr-only">Deleted</span>
    </ButtonLink>
  );
}
