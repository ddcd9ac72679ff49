import { createFileRoute } from '@tanstack/react-router';
import { mediaLibraryQuery } from '../media.ts';
import { MediaLibrary } from './media-library.tsx';
import { readMediaSearch } from './media-search.ts';

export const Route = createFileRoute('/_gate/admin/media')({
  validateSearch: readMediaSearch,
  loaderDeps: ({ search }) => search,
  // Keeps the loader out of the initial bundle.
  codeSplitGroupings: [['loader'], ['component']],
  // Loads data in parallel with the code of the page. The page shows errors.
  loader: ({ context: { queryClient }, deps: { q = '', page = 1, ...filters } }) => {
    void queryClient.prefetchQuery(mediaLibraryQuery({ search: q, page, ...filters }));
  },
  component: MediaPage,
});

function MediaPage() {
  return <MediaLibrary search={Route.useSearch()} />;
}
