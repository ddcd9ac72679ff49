import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { DeletedMedia } from './deleted-media.tsx';

export const Route = createFileRoute('/_gate/admin/media/deleted')({
  validateSearch: readListSearch,
  component: DeletedMediaPage,
});

function DeletedMediaPage() {
  return <DeletedMedia search={Route.useSearch()} />;
}
